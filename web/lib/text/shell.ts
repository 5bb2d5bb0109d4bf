/** A word as a shell takes it: in single quotes where it has characters with a meaning. */
export const shellQuoted = (word: string): string =>
  /^[\w./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
