/** Quotes a word for a shell, if it has characters with a special meaning. */
export const shellQuoted = (word: string): string =>
  /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
