/** Errors of the operating system in words. */
import { getSystemErrorMap } from 'node:util'

/** `ENOSPC` of an error of a system call; undefined for others. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

/** `no space left on device`. */
export function systemWords(error: unknown): string {
  const words =
    error instanceof Error &&
    'errno' in error &&
    typeof error.errno === 'number' &&
    getSystemErrorMap().get(error.errno)?.[1]
  return words || (error instanceof Error ? error.message : String(error))
}
