import { isFramed } from '../lib/framed'
import { isOneFile } from '../lib/ownFile'

/**
 * Whether this page may keep anything: not as a single file, which has no origin of its own, and not in a frame, where
 * the reader cannot tell whose page it is.
 */
export const mayKeep = (): boolean =>
  !isOneFile() && location.protocol !== 'file:' && isSecureContext && !isFramed() && 'indexedDB' in window
