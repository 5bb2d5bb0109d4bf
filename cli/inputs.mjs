/** From the paths on the command line to files: per-CPU file, base name, directory, standard input. */
import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Bytes that can be read from any place.
 * @typedef {{ name: string, path: string, size: number, lastModified: number, named: boolean, pattern?: string, read(offset: number, length: number, into?: Uint8Array): Uint8Array, close(): void }} Input `named`: the command line says this file, not only its
 * folder. `pattern`: the format of blkparse -f in which it may be printed. `read` may fill and return `into`, of at least `length` bytes
 */

/** An input that is not there or cannot be opened. */
export class Unreadable extends Error {
  /** @param {string} path @param {string} code @param {string} message */
  constructor(path, code, message) {
    super(message)
    this.path = path
    this.code = code
  }
}

/** @param {string} path @param {Uint8Array} bytes @returns {Input} */
function memoryInput(path, bytes) {
  return {
    name: basename(path),
    path,
    size: bytes.length,
    lastModified: 0,
    named: true,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    close: () => undefined,
  }
}

/** @param {string} path @returns {Input} */
function fileInput(path) {
  const fd = openSync(path, 'r')
  const { size, mtimeMs } = fstatSync(fd)
  /** @param {number} offset @param {number} length @param {Uint8Array} [into] */
  const read = (offset, length, into) => {
    const most = Math.max(0, Math.min(length, size - offset))
    const bytes = into ? into.subarray(0, most) : new Uint8Array(most)
    let done = 0
    while (done < bytes.length) {
      const n = readSync(fd, bytes, done, bytes.length - done, offset + done)
      if (n === 0) return bytes.subarray(0, done)
      done += n
    }
    return bytes
  }
  return { name: basename(path), path, size, lastModified: mtimeMs, named: true, read, close: () => closeSync(fd) }
}

/** @param {string} folder @returns {string[]} all files below, hidden ones left out */
function below(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(entry => !entry.name.startsWith('.'))
    .sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .flatMap(entry => {
      const path = join(folder, entry.name)
      const info = entry.isSymbolicLink() ? statSync(path) : entry
      if (info.isDirectory()) return below(path)
      return info.isFile() ? [path] : []
    })
}

/** @param {string} path @returns {string[]} the files of a base name: `dir/sda` gives `dir/sda.blktrace.*` */
function ofBase(path) {
  const prefix = `${basename(path)}.blktrace.`
  const folder = dirname(path)
  const names = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ? readdirSync(folder) : []
  return names.filter(name => name.startsWith(prefix)).map(name => join(folder, name))
}

/** @param {string} path @returns {Input[]} */
export function resolve(path) {
  if (path === '-') return [memoryInput('standard-input', readFileSync(0))]
  const info = statSync(path, { throwIfNoEntry: false })
  const files = info?.isDirectory() ? below(path) : info ? [path] : ofBase(path)
  if (files.length === 0) {
    throw new Unreadable(path, 'not-found', info ? 'the directory holds no files' : 'no such file, base name or directory')
  }
  try {
    return files.map(file => ({ ...fileInput(file), named: !info?.isDirectory() }))
  } catch (error) {
    throw new Unreadable(path, 'unreadable', error instanceof Error ? error.message : String(error))
  }
}
