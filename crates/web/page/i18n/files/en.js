// What is said otherwise where the page is a folder of files: there is no server.

export default {
  'place.gone': 'the network does not answer',
  'keep.browser.unavailable': 'This browser does not let the page store anything, as some private windows do. Your games are kept in this tab while it is open; export what you want to keep.',
  'keep.browser.newer': 'A newer version of this page is open in another tab. Reload this one to continue; until then games are kept in this tab alone.',
  'keep.browser.blocked': 'Another tab with an older version of this page is open. Close it, and your games are kept again; until then they are in this tab alone.',
  'keep.browser.failed': 'The browser could not save your game and will try again. Until then it is kept in this tab while it is open.',
  'solve.gone': 'The solver could not be loaded. Keep playing, and try again when the network is back.',
  'saves.wipeText': 'All games, pictures and records of this browser will be deleted, and with them the Classic times, the daily streak, the lessons done and the map in Paths. This cannot be undone.',
  'share.onlyHere': 'This link works only on this computer: its address is {host}. For other devices put the page on a web server.',
  'picture.stays': 'Your picture never leaves this browser.',
  'error.engine-died': 'the search needed more memory than the browser gives it',
  'lab.gone': 'The engine could not be loaded. What is here stays; try again when the network is back.',
  'paths.away': 'The engine could not be loaded. The map stays, and searches go on when the network is back.',
  'guide.away': 'The guide could not be loaded: the network does not answer.',
};
