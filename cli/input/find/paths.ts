/**
 * Paths of the command line to files: per-CPU file, base name, directory, FIFO, standard input. What cannot be read is
 * skipped.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isEngineError } from '../../../web/engine/errors'
import type { EngineError } from '../../../web/engine/protocol'
import { visibleLine } from '../../../web/lib/text/visible'
import { pause } from '../../output/write'
import { yieldInTime } from '../../output/yield'
import { fileId, type InputFile, inputAt } from './inputs'
import { device, endless, noFiles, notFound, special, unreadable } from './refused'
import { dropSpooled, spool, spooled, spoolFile } from './spool'
import { systemCode } from './system'
import { filesBelow, namedPath, type Skip, type SystemPath } from './walk'

const PIECE = 1 << 20

/** Bytes that are taken of a stream: more than the engine holds, and less than most disks do. */
const MAX_STREAM_BYTES = 4 * 2 ** 30

/** Keeps the next bytes of a stream whose bytes begin at `start`. Throws an EngineError, or SetupError. */
function keepPiece(path: string, start: number, piece: Uint8Array, maxBytes = MAX_STREAM_BYTES): void {
  if (spooled() - start + piece.length > maxBytes) {
    dropSpooled(start)
    throw endless(path, maxBytes)
  }
  spool(piece)
}

/** Copies a stream, which can be read only once, to the temporary file. */
function copyStream(path: string, fd: number, start: number): void {
  const piece = new Uint8Array(PIECE)
  for (;;) {
    try {
      const n = readSync(fd, piece)
      if (n === 0) return
      keepPiece(path, start, piece.subarray(0, n))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EOF') return
      if (code !== 'EAGAIN') throw error
      pause()
    }
  }
}

function streamInput(path: string, fd: number, id: string): InputFile {
  const start = spooled()
  copyStream(path, fd, start)
  return inputAt(
    { name: basename(path), path, size: spooled() - start, lastModified: 0, named: true, id },
    { fd: spoolFile(), start },
  )
}

/** Of what is read piece by piece: all of it. Rejects with an error of the system, an EngineError, or SetupError. */
export async function spooledInput(
  path: string,
  id: string,
  first: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
  maxBytes?: number,
): Promise<InputFile> {
  const start = spooled()
  keepPiece(path, start, first, maxBytes)
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    keepPiece(path, start, piece.value, maxBytes)
    // Yields: a pipe that always has data would block signals.
    await yieldInTime()
  }
  return inputAt(
    { name: basename(path), path, size: spooled() - start, lastModified: 0, named: true, id },
    { fd: spoolFile(), start },
  )
}

/**
 * A file that can be opened. Of /proc and tracefs, files have no size: those that are named are read to their end, like
 * FIFOs.
 */
function fileInput({ file, shown }: SystemPath, named: boolean): InputFile {
  const fd = openSync(file, 'r')
  try {
    const stats = fstatSync(fd, { bigint: true })
    const id = fileId(stats)
    if (named && (stats.isFIFO() || stats.size === 0n)) return streamInput(shown, fd, id)
    const size = Number(stats.size)
    return inputAt(
      { name: basename(shown), path: shown, size, lastModified: Number(stats.mtimeMs), named, id },
      { file, id },
    )
  } finally {
    closeSync(fd)
  }
}

/** `fileId` of a path; undefined when there is no such file. */
export function fileIdOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats && fileId(stats)
}

/** Files of a base name: `dir/sda` gives `dir/sda.blktrace.*`. */
function ofBase(path: string): SystemPath[] {
  const prefix = `${basename(path)}.blktrace.`
  const folder = dirname(path)
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  return names.filter(name => name.startsWith(prefix)).map(name => namedPath(join(folder, name)))
}

/** Why an input cannot be read; rethrows anything else. */
function problemOf(path: string, error: unknown): EngineError {
  if (isEngineError(error)) return error
  if (systemCode(error) === undefined) throw error
  return unreadable(path, error)
}

/** The files of a path of the command line; calls `skip` with what cannot be read. Throws SetupError. */
export function resolveInputs(path: string, skip: Skip): InputFile[] {
  const open = (file: SystemPath, named: boolean): InputFile[] => {
    try {
      return [fileInput(file, named)]
    } catch (error) {
      skip(problemOf(file.shown, error))
      return []
    }
  }
  try {
    if (path === '-') return [streamInput('standard-input', 0, fileId(fstatSync(0, { bigint: true })))]
    const info = statSync(path, { throwIfNoEntry: false })
    if (info?.isDirectory()) {
      let skipped = false
      const files = filesBelow(namedPath(path), problem => {
        skipped = true
        skip(problem)
      })
      if (files.length === 0 && !skipped) skip(noFiles(visibleLine(path)))
      return files.flatMap(file => open(file, false))
    }
    if (info && !info.isFile() && !info.isFIFO()) {
      skip(info.isBlockDevice() ? device(path) : special(visibleLine(path)))
      return []
    }
    const files = info ? [namedPath(path)] : ofBase(path)
    if (files.length === 0) skip(notFound(visibleLine(path)))
    return files.flatMap(file => open(file, true))
  } catch (error) {
    skip(problemOf(visibleLine(path), error))
    return []
  }
}
