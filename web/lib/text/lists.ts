const LIST = new Intl.ListFormat('en-GB')

/** `A, B and C` */
export const joinWords = (words: readonly string[]): string => LIST.format(words)
