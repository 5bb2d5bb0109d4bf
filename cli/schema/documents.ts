/** The JSON documents of the command line, by the names that `seekscope schema` takes. */

/** What makes the schema of a document: a type of the protocol, or the columns of a table. */
export interface DocumentSource {
  /** The arguments that print it, or where it occurs. */
  readonly printed: string
  /** A document per line. */
  readonly lines?: true
  /** Name of its type; a table has none. */
  readonly type?: string
}

const DOCUMENTS = {
  summary: { printed: 'summary --json', type: 'PrintedSummary' },
  compare: { printed: 'compare --json', type: 'PrintedComparison' },
  matrix: { printed: 'compare --matrix --json', type: 'PrintedMatrix' },
  top: { printed: 'top --json', lines: true, type: 'PrintedInterval' },
  noise: { printed: 'noise --json', type: 'NoiseTable' },
  digest: { printed: 'digest', lines: true },
  builds: { printed: 'builds --json', type: 'PrintedBuilds' },
  bisect: { printed: 'bisect --report --json', type: 'PrintedBisection' },
  changes: { printed: 'builds -o FILE.jsonl', lines: true },
  replay: { printed: 'replay --check --json', type: 'PrintedReplay' },
  'serve-start': { printed: 'serve', type: 'ServedStart' },
  'serve-index': { printed: 'GET of serve', type: 'ServedIndex' },
  'serve-query': { printed: 'POST to serve', type: 'ServedQuery' },
  'serve-problem': { printed: 'an error of serve', type: 'ServedProblem' },
} as const satisfies Readonly<Record<string, DocumentSource>>

export type DocumentName = keyof typeof DOCUMENTS
export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as readonly DocumentName[]

export const isDocumentName = (text: string): text is DocumentName => Object.hasOwn(DOCUMENTS, text)
export const documentSource = (name: DocumentName): DocumentSource => DOCUMENTS[name]
