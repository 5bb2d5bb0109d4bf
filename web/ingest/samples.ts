/** The comparisons that come with the page: what is in them, and how their files are fetched. */
import type { Geometry } from '../engine/protocol'
import { parseGeometry } from '../lib/geometry'
import { isCarried, ownFile } from '../lib/ownFile'
import type { FoundFile } from './found'
import manifest from './samples.json'
import { gunzipped } from './unpack'

export interface SampleRun {
  readonly label: string
  /** Caption under its picture. */
  readonly short: string
  readonly kernel: string
  /** Records in its files. */
  readonly events: number
  /** Below `samples/`. */
  readonly folder: string
  /** Stored with `.gz` behind. */
  readonly files: readonly string[]
  readonly deviceNames: Readonly<Record<string, string>>
  /** SVG path in a box of 112 x 56: one stroke a request. */
  readonly picture: string
}

export interface Sample {
  readonly id: string
  readonly title: string
  /** What it shows, with the figures. */
  readonly text: string
  readonly geometry?: Geometry
  readonly runs: readonly SampleRun[]
}

export const SAMPLES: readonly Sample[] = manifest.samples.map(({ geometry, ...sample }) => {
  const parsed = geometry === '' ? undefined : parseGeometry(geometry)
  return { ...sample, runs: sample.runs as readonly SampleRun[], ...(parsed && { geometry: parsed }) }
})

const stored = (run: SampleRun, file: string): string => `samples/${run.folder}/${file}.gz`

/** Those whose files are there; a report leaves them out. */
export const samplesHere = (): readonly Sample[] => SAMPLES.filter(s => s.runs.every(run => run.files.every(file => isCarried(stored(run, file)))))

/** One run's files, unpacked. Throws with the path when the host has not got one. */
export async function fetchRun(run: SampleRun): Promise<FoundFile[]> {
  return Promise.all(
    run.files.map(async name => {
      const path = stored(run, name)
      const response = await ownFile(path)
      // Some hosts answer with their front page where there is no such file.
      const page = response.headers.get('content-type')?.startsWith('text/html') ?? false
      if (!response.ok || page) throw new Error(`${path} is not there: the host answered ${page ? 'with a web page' : response.status}`)
      return { name, path: `${run.folder}/${name}`, blob: await gunzipped(await response.blob()), lastModified: 0 }
    }),
  )
}
