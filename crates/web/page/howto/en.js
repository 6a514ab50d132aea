// The words of the help in English.

export default {
  'howto.title': 'How to play',
  'howto.slide': 'Tap a tile beside the gap: it slides in.',
  'howto.line': 'Tap one further away: the whole line slides.',
  'howto.whole': 'Put the picture together again.',
  'howto.begin': 'Got it',
  'howto.helpHead': 'What counts as help',
  'howto.help': 'A hint, auto-solve and the number of moves left come from the solver. A game that used one of them is marked as helped: it sets no record and enters no average.',
  'howto.free': 'Free for all: undo, numbers, home arrows, and a look at the picture.',
};
