/** Which settings of a link wait for open runs, and which traces a link opens. */
import { formatGeometry } from '../../lib/geometry'
import type { Link } from '../../link/link'
import { type Page, put } from '../page'
import type { Reference } from '../runs/sources'

/** Settings of a link that need open runs. */
export const RUN_SETTINGS = [
  ...(['order', 'baseline', 'compared', 'off', 'listed', 'labels', 'groups', 'parts', 'cells'] as const),
  ...(['device', 'devices', 'shifts', 'geometryOf', 'annotations'] as const),
] as const satisfies readonly (keyof Link)[]

export const runSettings = (link: Link): Link =>
  Object.fromEntries(RUN_SETTINGS.flatMap(key => (link[key] === undefined ? [] : [[key, link[key]]])))

export const withoutRunSettings = (link: Link): Link => {
  const dropped: readonly string[] = RUN_SETTINGS
  return Object.fromEntries(Object.entries(link).filter(([key]) => !dropped.includes(key)))
}

/** The page while settings of a link wait for their runs. */
export const withArranging = (page: Page, link: Link): Page =>
  put(page, 'arranging', Object.keys(runSettings(link)).length > 0 ? true : undefined)

/**
 * A key for what a link opens without local files. Two links with equal keys differ only in their view, so following
 * one from the other closes no run.
 */
export const openedBy = ({ sample, urls, snapshot, live }: Link): string =>
  JSON.stringify([sample, urls?.map(({ url }) => url), snapshot, live])

export type LinkOrigin = 'sample' | 'urls' | 'snapshot'

/** Where a link opens traces from by itself. */
export function originOf({ sample, urls, snapshot }: Link): LinkOrigin | undefined {
  if (sample !== undefined) return 'sample'
  if (urls) return 'urls'
  return snapshot === undefined ? undefined : 'snapshot'
}

export const NOTHING = openedBy({})

export const referenceIn = ({ opened, gone, windows }: Link, urls: Reference['urls']): Reference => ({
  urls,
  ...(opened && { opened }),
  ...(gone && { gone }),
  ...(windows && { windows }),
})

export const aboutSnapshot = ({ gone, sums }: Link) => ({ ...(gone && { gone }), ...(sums && { sums }) })

export const geometryText = ({ geometry }: Link): string =>
  geometry && geometry !== 'none' ? formatGeometry(geometry) : ''

export const geometryOf = ({ geometry }: Link): Pick<Page, 'geometry'> =>
  geometry && geometry !== 'none' ? { geometry } : {}
