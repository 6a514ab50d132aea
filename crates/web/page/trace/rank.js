// What a search goes by when it decides which state is next.

/** The f of a state, from its g and h: the number that the search orders states by. @returns {(g: number, h: number) => number} */
export function rankOf(rec) {
  switch (rec?.answer?.algorithm) {
    case 'greedy': return (_, h) => h;
    case 'wastar': return (g, h) => g + (rec.answer.weight ?? 1) * h;
    default: return (g, h) => g + h;
  }
}
