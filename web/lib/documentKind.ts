/** Documents of Seekscope, which open as pages of their own, by their first bytes. */

/** Number of bytes that tell. */
export const DOCUMENT_HEAD_BYTES = 99

/** Whether it is a document; the engine looks into all other files. */
export const isDocument = (head: string): boolean => /^(PAR1|\s*{\s*"schema":)/.test(head)

/**
 * What a document is: the report of a bisection, or else a table of digests. A row of the log of a bisection is taken
 * for its report, so that it is refused with a reason.
 */
export const documentKind = (head: string): 'bisection' | 'table' =>
  /^\s*{\s*"schema":\s*\d+,\s*"kind":\s*"(?:bisection|step|anchor)"/.test(head) ? 'bisection' : 'table'
