/** What all measurements print alike: the machine, and tables whose rows appear as soon as they are measured. */
import { cpus } from 'node:os'
import { say } from '../../scripts/lib/run.mjs'

export const machine = () => `${cpus().length} x ${cpus()[0]?.model ?? 'CPU'}, Node ${process.versions.node}`

/** @param {number | undefined} bytes */
export const inMB = bytes => (bytes === undefined ? '' : `${(bytes / 1e6).toFixed(0)} MB`)

/** @param {number | undefined} value ms */
export const inMs = value => (value === undefined ? '' : value.toFixed(0))

/**
 * A table whose columns have these widths, in characters: prints one row per call, the head first.
 * @param {{ readonly first?: number, readonly width?: number }} [widths] of the first column and of the others
 * @returns {(name: string, cells: readonly (string | number | undefined)[], note?: string) => void}
 */
export function createTable({ first = 44, width = 12 } = {}) {
  return (name, cells, note = '') => {
    const numbers = cells.map(cell => String(cell ?? '').padStart(width)).join('')
    say(`${name.padEnd(first)}${numbers}  ${note}`.trimEnd())
  }
}
