/**
 * `seekscope link` and `seekscope report`: a comparison as a URL or a file, without the traces. Made by the code of the
 * page.
 */
import { readFileSync } from 'node:fs'
import { resultsAnswer, resultsClient } from '../../web/engine/answer'
import type { SnapshotSize } from '../../web/engine/protocol'
import { ascii } from '../../web/lib/format'
import type { LinkAnnotation } from '../../web/link/annotations'
import type { Link } from '../../web/link/link'
import { LETTERS } from '../../web/link/view'
import { maxLinkLength, roomFor, snapshotAddress } from '../../web/share/address'
import { reportOf } from '../../web/share/reportOf'
import { type IncludedNames, MAX_BRIEF_RUNS, sumsOf, takeSnapshot } from '../../web/share/take'
import { pageOfTraces, withComparison } from '../../web/share/traces'
import { EMPTY_PAGE, type Page, put } from '../../web/state/page'
import { groupRuns } from '../input/groups'
import { openRuns, type Summed } from '../input/openRuns'
import { loadEngine } from '../input/read/engine'
import type { FoundResults } from '../output/figures/results'
import { outputTarget, print } from '../output/output'
import { complain, say } from '../output/progress'
import { packageFile } from '../places'
import { SetupError } from '../program/usage'
import { checkBaseline, type RunArrangement, type TraceInputs } from '../program/values'
import { withAnnotations } from './annotate'

export interface ShareOptions extends RunArrangement, IncludedNames {
  readonly annotations: readonly LinkAnnotation[]
}

/**
 * Calls `use` with the traces as a compared page, and with their checksums. Without a trace and without results it
 * reports that.
 */
async function withPage(
  inputs: TraceInputs,
  options: ShareOptions & Summed,
  use: (page: Page, sums: Link['sums']) => Promise<void>,
): Promise<void> {
  const resultsOnly: FoundResults[] = []
  const all = await openRuns({ ...inputs, most: LETTERS.length }, options, results => resultsOnly.push(results))
  const [found] = resultsOnly
  const engine = loadEngine()
  const client = resultsClient(async (kind, ask) => resultsAnswer(loadEngine(), kind, ask))
  const results = found && { results: { document: found.document, files: [], client } }
  const [first] = all
  try {
    if (!first && results)
      return await use(withAnnotations({ ...EMPTY_PAGE, ...results }, options.annotations), undefined)
    if (!first) return complain(inputs.paths.join(' '), 'no-run', 'No trace could be read.')
    checkBaseline(options, all.length)
    const { groups, byName } = groupRuns(engine, all, options)
    const runs = all.map(({ run }, i) => put(run, 'group', groups[i]))
    const arranged: Page = {
      ...pageOfTraces(runs, options.baseline),
      ...(byName && { grouping: 'name' }),
      ...results,
      ...(options.geometry && { geometry: options.geometry }),
    }
    const page = withAnnotations(arranged, options.annotations)
    const checksums = new Map(all.flatMap(({ sum }, i) => (sum === undefined ? [] : [[i + 1, sum] as const])))
    await use(await withComparison(page), options.sums ? sumsOf(page, checksums) : undefined)
  } finally {
    for (const { open } of all) open.free()
  }
}

/** A link of a compared page, or why there is none of this size. */
export async function linkOf(
  page: Page,
  { size, base, ...names }: IncludedNames & { readonly size: SnapshotSize; readonly base: string },
  sums?: Link['sums'],
): Promise<{ readonly url: string; readonly tooLong?: string }> {
  if (size === 'XS' && page.runs.length > MAX_BRIEF_RUNS) {
    const tooLong = `A link of size XS has room for ${MAX_BRIEF_RUNS} runs, not for ${page.runs.length}. Use --size S.`
    return { url: '', tooLong }
  }
  const baseLocation = { href: base }
  const { text = '' } = (await takeSnapshot(page, size, names, roomFor(page, size, baseLocation))) ?? {}
  const url = snapshotAddress(page, text, { pageLocation: baseLocation, size, ...(sums && { sums }) })
  if ((size !== 'XS' && size !== 'S') || url.length <= maxLinkLength(size)) return { url }
  const larger = size === 'XS' ? '--size S' : '--size M, or seekscope report'
  const length = ascii.counted(url.length, 'character')
  return { url, tooLong: `The link has ${length}, size ${size} at most ${maxLinkLength(size)}. Use ${larger}.` }
}

export async function link(
  inputs: TraceInputs,
  { size, base, ...options }: ShareOptions & { size: SnapshotSize; base: string },
): Promise<void> {
  // Short links have no room for checksums.
  const fitted = size === 'XS' || size === 'S'
  await withPage(inputs, { ...options, sums: !fitted }, async (page, sums) => {
    const { url, tooLong } = await linkOf(page, { size, base, ...options }, sums)
    if (tooLong !== undefined) return complain(inputs.paths.join(' '), 'link-too-long', tooLong)
    if (size === 'XS' && page.results && page.runs.length > 0) say('size XS has no benchmark results')
    await print(`${url}\n`)
    if (base === '') say('append this to the URL of a Seekscope instance, or give it with --base URL')
  })
}

export async function report(
  inputs: TraceInputs,
  { output, title, ...options }: ShareOptions & { output: string; title?: string },
): Promise<void> {
  const app = appFile()
  const target = outputTarget(output)
  try {
    await withPage(inputs, { ...options, sums: true }, async (page, sums) => {
      const html = await reportOf(title === undefined ? page : { ...page, title }, options, app, sums)
      await target.write(Buffer.from(html))
      target.keep()
      say(`wrote ${output}, ${ascii.megabytes(html.length)} MB`)
    })
  } finally {
    target.drop()
  }
}

function appFile(): string {
  try {
    return readFileSync(packageFile('dist/seekscope.html'), 'utf8')
  } catch {
    throw new SetupError('the page is not built (dist/seekscope.html is missing). Run: npm run build')
  }
}
