/** The samples that come with the page: their contents, and how their files are fetched. */
import type { Geometry } from '../engine/protocol'
import { parseGeometry } from '../lib/geometry'
import { fetchOwnFile, isCarried } from '../lib/ownFile'
import type { FoundFile } from './found'
import manifest from './samples.json'
import { gunzip } from './unpack'

export interface SampleRun {
  readonly label: string
  /** Caption under the picture. */
  readonly short: string
  readonly kernel: string
  /** Number of records in all files. */
  readonly records: number
  /** Name of the folder below `samples/`. */
  readonly folder: string
  /** File names, without the `.gz` of the stored files. */
  readonly files: readonly string[]
  readonly deviceNames: Readonly<Record<string, string>>
  /** SVG path in a box of 112 x 56: one stroke per request. */
  readonly picture: string
}

export interface Sample {
  readonly id: string
  readonly title: string
  /** A sentence with figures of the comparison. */
  readonly text: string
  readonly geometry?: Geometry
  readonly runs: readonly SampleRun[]
}

export const SAMPLES: readonly Sample[] = manifest.samples.map(({ geometry, ...sample }) => {
  const parsed = geometry === '' ? undefined : parseGeometry(geometry)
  return { ...sample, runs: sample.runs as readonly SampleRun[], ...(parsed && { geometry: parsed }) }
})

const stored = (run: SampleRun, file: string): string => `samples/${run.folder}/${file}.gz`

/** A mail with two tables, without a trace: its words and numbers are those of the file. */
export const SAMPLE_MAIL = {
  title: 'A mail with two tables',
  text: 'cfq and noop, 16 readers: 130 and 349 MB/s',
  path: 'samples/mail.txt',
  /**
   * Throughput of 1 to 16 readers in MB/s, as in the tables of the mail: only the picture of the card needs them
   * here.
   */
  sides: [
    { short: 'cfq', values: [135, 124, 133, 130, 130] },
    { short: 'noop', values: [126, 185, 225, 285, 349] },
  ],
} as const

/** Whether the mail is available; a report does not contain it. */
export const isMailHere = (): boolean => isCarried(SAMPLE_MAIL.path)

/** Throws with the path when the host lacks it. */
export async function fetchMail(): Promise<FoundFile> {
  const { path } = SAMPLE_MAIL
  return { name: 'mail.txt', path: 'mail.txt', blob: await (await fetchStored(path)).blob(), lastModified: 0 }
}

async function fetchStored(path: string): Promise<Response> {
  const response = await fetchOwnFile(path)
  // Some hosts return their front page for a missing file.
  const page = response.headers.get('content-type')?.startsWith('text/html') ?? false
  if (!response.ok || page)
    throw new Error(`${path} is missing: the host returned ${page ? 'a web page' : response.status}`)
  return response
}

/** Samples whose files are available; a report does not contain them. */
export const samplesHere = (): readonly Sample[] =>
  SAMPLES.filter(s => s.runs.every(run => run.files.every(file => isCarried(stored(run, file)))))

/** The unpacked files of one run. Throws with the path when the host lacks one. */
export async function fetchRun(run: SampleRun): Promise<FoundFile[]> {
  return Promise.all(
    run.files.map(async name => {
      const response = await fetchStored(stored(run, name))
      return { name, path: `${run.folder}/${name}`, blob: await gunzip(await response.blob()), lastModified: 0 }
    }),
  )
}
