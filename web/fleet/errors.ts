/** What is wrong with a table of digests. */
import type { EngineError } from '../engine/protocol'

export const tableError = (code: string, message: string, remedy: string, file?: string): EngineError => ({
  code,
  message,
  remedy,
  ...(file !== undefined && { at: { file } }),
})
