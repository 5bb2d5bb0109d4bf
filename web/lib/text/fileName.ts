/** A file name, without its extension, that every file system accepts: lower case, words joined by hyphens. */
export const fileName = (...words: readonly string[]): string =>
  words
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.+]+/gu, '-')
    .slice(0, 120)
    .replaceAll(/^[-.]+|[-.]+$/g, '')
