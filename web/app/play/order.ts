/**
 * A film ordered by `seekscope movie`. Its server writes the order into the page that it serves; no address or
 * message can: a link must not make the page send pictures of a trace anywhere.
 */
import * as v from 'valibot'
import { type FilmOrder, ORDER_NAME } from '../../lib/filmOrder'

const Order = v.object({
  path: v.pipe(v.string(), v.regex(/^\/[\w-]+\/movie$/)),
  kind: v.picklist(['webm', 'gif']),
  width: v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(4096)),
  height: v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(4096)),
  framesPerSecond: v.pipe(v.number(), v.minValue(1), v.maxValue(120)),
  seconds: v.pipe(v.number(), v.minValue(0.1), v.maxValue(3600)),
  theme: v.picklist(['light', 'dark']),
})

/** The order in the page, if there is one. */
export function filmOrder(page: Document = document): FilmOrder | undefined {
  const meta = page.querySelector<HTMLMetaElement>(`meta[name="${ORDER_NAME}"]`)
  if (!meta) return undefined
  const parsed = v.safeParse(Order, JSON.parse(meta.content))
  return parsed.success ? parsed.output : undefined
}
