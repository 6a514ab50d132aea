// The dictionaries of recorded searches, for whichever place shows them beside its own.

/** A place's words together with those of recorded searches. @param {(language: string) => Promise<{ default: object }>} own */
export const withTraceWords = (own) => async (language) => {
  const [shared, mine] = await Promise.all([import(`./${language}.js`), own(language)]);
  return { default: { ...shared.default, ...mine.default } };
};
