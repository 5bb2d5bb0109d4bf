/**
 * Files and structures of file systems: what was requested of each, one row per object. Only the page draws the table,
 * since a click on a row filters and colours the map.
 */
import type { PageSpec } from '../shared/spec'

export const files: PageSpec = {
  kind: 'page',
  name: 'files',
  title: 'Files and structures',
  measured: 'files-and-structures',
}

export const OBJECT = 'object'
export const DEVICE_TIME = 'share of device time'
export const DEVICE_TIME_PERCENT = '% of device time'
export const WRITTEN_BY = 'written by'
/** The last rows: what a digest has no row for, and what no source names. */
export const OTHERS = 'others'
export const UNKNOWN = 'unknown'
/** All structures of file systems, as a folder. */
export const STRUCTURES = 'structures'

/** Says how to get what the table needs. */
export const NO_MAP = [
  'No map of the disk says to which files the sectors belong.',
  'Record with seekscope-record, which takes one by default; with --origin it also records who wrote what.',
].join(' ')

/** The table by system calls. */
export const CALL = 'call'
export const byCall: Pick<PageSpec, 'title' | 'measured'> = { title: 'By call', measured: 'calls' }
