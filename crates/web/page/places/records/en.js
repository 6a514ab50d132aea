// The words of Records in English.

export default {
  'records.title': 'Records',
  'records.lead': 'Your own games without help (no hint, no auto-solve, no moves left) and in a single go: a scramble that you start over sets no record. Averages leave out the best and the worst of the last five or twelve.',
  'records.none': 'No records yet. Solve a fully random scramble without help, and it appears here.',
  'records.best': 'Best of each board',
  'records.size': 'Board',
  'records.bestTime': 'Best time',
  'records.bestMoves': 'Fewest moves',
  'records.ao5': 'Average of 5',
  'records.ao12': 'Average of 12',
  'records.games': 'Games',
  'records.when': 'When',
  'records.recent': 'Latest',
  'records.replay': 'Replay',
  'records.wraps': 'wrapping',
  'records.title.page': 'Records · Pintu',
  'records.watch': 'Watch',
  'records.delete': 'Delete this record',
  'records.deleted': 'The record is deleted',
};
