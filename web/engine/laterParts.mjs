/** What the parts of the engine are for: apart from `parts.mjs`, because the page's own scripts have no engine. */

/** The later parts, in the order of their numbers, which begin with 1. */
export const LATER_PARTS = /** @type {const} */ (['compare', 'rest'])

/** @typedef {typeof LATER_PARTS[number]} LaterPart */

/** Queries of the first picture of a trace, which the first part answers; others are answered with `compare`. */
export const PICTURE_KINDS = /** @type {const} */ ([
  'info',
  'summary',
  'bands',
  'seekMap',
  'depth',
  'rate',
  'latencyGrid',
  'facets',
  'sizes',
  'distribution',
  'stages',
])
