/**
 * Layers: how long each device of a stack took itself, and how long those below it. Only the page has this table; texts
 * have a line per device.
 */
import type { PageSpec } from '../shared/spec'

export const layers: PageSpec = {
  kind: 'page',
  name: 'layers',
  title: 'Layers',
  measured: 'layers',
}

export const DEVICE = 'device'
