import type { UnpackProgress } from '../../engine/protocol'

/** Progress of unpacking: `unpacking before.tar.bz2, 34%`. */
export const unpackingWords = ({ path, bytes, totalBytes }: UnpackProgress): string =>
  `unpacking ${path}, ${Math.floor((100 * bytes) / Math.max(1, totalBytes))}%`
