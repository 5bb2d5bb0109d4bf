/**
 * Paths of the command line to files: per-CPU file, base name, directory, FIFO, standard input. What cannot be read is
 * skipped.
 */
import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileId, type InputFile, inputAt } from './inputs'
import { device, noFiles, notFound, special, unreadable } from './refused'
import { spool, spooled, spoolFile } from './spool'
import { systemCode } from './system'
import { visibleLine } from './visible'
import { filesBelow, given, type Skip, type SystemPath } from './walk'

const PIECE = 1 << 20
/** A terminal or pipe that another process set to not block has nothing yet: look again after this. */
const RETRY_MS = 5

/** Copies what cannot be read twice. */
function copied(fd: number): void {
  const piece = new Uint8Array(PIECE)
  for (;;) {
    try {
      const n = readSync(fd, piece)
      if (n === 0) return
      spool(piece.subarray(0, n))
    } catch (error) {
      const code = systemCode(error)
      if (code === 'EOF') return
      if (code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS)
    }
  }
}

function streamInput(path: string, fd: number, id: string): InputFile {
  const start = spooled()
  copied(fd)
  return inputAt(
    { name: basename(path), path, size: spooled() - start, lastModified: 0, named: true, id },
    { fd: spoolFile(), start },
  )
}

/** Of what is read piece by piece: all of it. Rejects with an error of the system, or SetupError. */
export async function spooledInput(
  path: string,
  id: string,
  first: Uint8Array,
  pieces: AsyncIterator<Uint8Array>,
): Promise<InputFile> {
  const start = spooled()
  spool(first)
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) spool(piece.value)
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
  return names.filter(name => name.startsWith(prefix)).map(name => given(join(folder, name)))
}

/** The files of a path of the command line; calls `skip` with what cannot be read. Throws SetupError. */
export function resolveInputs(path: string, skip: Skip): InputFile[] {
  const open = (file: SystemPath, named: boolean): InputFile[] => {
    try {
      return [fileInput(file, named)]
    } catch (error) {
      if (systemCode(error) === undefined) throw error
      skip(unreadable(file.shown, error))
      return []
    }
  }
  try {
    if (path === '-') return [streamInput('standard-input', 0, fileId(fstatSync(0, { bigint: true })))]
    const info = statSync(path, { throwIfNoEntry: false })
    if (info?.isDirectory()) {
      let skipped = false
      const files = filesBelow(given(path), problem => {
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
    const files = info ? [given(path)] : ofBase(path)
    if (files.length === 0) skip(notFound(visibleLine(path)))
    return files.flatMap(file => open(file, true))
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    skip(unreadable(visibleLine(path), error))
    return []
  }
}
