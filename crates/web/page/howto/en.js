// The words of the help in English.

export default {
  'howto.title': 'How to play',
  'howto.shuffle': 'Shuffle first, then put the picture together again.',
  'howto.slide': 'Tap a tile beside the gap: it slides in.',
  'howto.line': 'Tap one further away: the whole line slides.',
  'howto.begin': 'Got it',
  'howto.helpHead': 'What counts as help',
  'howto.help': 'A hint, auto-solve and the number of moves left come from the solver. A game that used one of them is marked as helped: it sets no record and enters no average.',
  'howto.free': 'Always allowed: undo, numbers, where tiles go, and a look at the picture.',

  'keys.title': 'Keys',
  'keys.moveTile': 'Move a tile that way',
  'keys.redo': 'Redo',
  'keys.peekHold': 'Hold to see the picture',
  'keys.shuffle': 'Shuffle',
  'keys.restart': 'Same scramble again',
  'keys.playPause': 'Play or pause the solution',
  'keys.step': 'One move back, one move on',
  'keys.size': '3×3, 4×4, 5×5',
  'keys.save': 'Save',
  'keys.help': 'This list',
  'keys.escape': 'Close the top window',
  'keys.touch': 'Touch: tap a tile in line with the gap, drag it, or swipe anywhere on the board.',
  'keys.letters': 'Single letters can be switched off in the settings. Whatever would discard a game can be undone.',
};
