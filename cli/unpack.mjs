/** Archives and compressed files become the files in them, in a temporary file that is gone when it is closed. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/**
 * @typedef {import('./engine.mjs').Engine} Engine
 * @typedef {import('./inputs.mjs').Input} Input
 * @typedef {import('../web/engine/protocol').Warning} Warning
 */

/** What decides whether a file is a container. */
const HEAD = 512

/** One for all files of an archive, without a name from the start: nothing is left behind, whatever happens. */
function temporary() {
  const folder = mkdtempSync(join(tmpdir(), 'seekscope-'))
  try {
    return openSync(join(folder, 'unpacked'), 'w+')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {number} fd @param {Uint8Array} bytes @param {number} at */
function writeAll(fd, bytes, at) {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done, bytes.length - done, at + done)
}

/** @param {number} fd @param {Uint8Array} bytes @param {number} at */
function readAll(fd, bytes, at) {
  for (let done = 0; done < bytes.length; ) {
    const n = readSync(fd, bytes, done, bytes.length - done, at + done)
    if (n === 0) return bytes.subarray(0, done)
    done += n
  }
  return bytes
}

/**
 * @param {Engine} engine
 * @param {Input} input a container
 * @param {boolean} limited
 * @returns {{ files: Input[], problems: Warning[] }}
 */
function unpackOne(engine, input, limited) {
  const fd = temporary()
  /** @type {Input[]} */
  const files = []
  let [path, from, to] = ['', 0, 0]
  const open = { files: 1 }
  const close = () => {
    open.files -= 1
    if (open.files === 0) closeSync(fd)
  }
  const end = () => {
    const [start, size] = [from, to - from]
    open.files += 1
    files.push({
      name: basename(path),
      path,
      size,
      lastModified: input.lastModified,
      named: input.named && !path.startsWith(`${input.path}/`),
      read: (offset, length, into) => {
        const most = Math.max(0, Math.min(length, size - offset))
        return readAll(fd, into ? into.subarray(0, most) : new Uint8Array(most), start + offset)
      },
      close,
    })
  }
  const problems = engine.unpack(
    input.path,
    input.size,
    {
      read: (offset, length) => input.read(offset, length),
      begin: name => {
        path = name
        from = to
      },
      bytes: bytes => {
        writeAll(fd, bytes, to)
        to += bytes.length
      },
      end,
    },
    limited,
  )
  close()
  input.close()
  return { files, problems }
}

/**
 * Containers replaced by the files in them, all other files as they are.
 * @param {Engine} engine
 * @param {readonly Input[]} inputs
 * @param {boolean} limited
 * @returns {{ files: Input[], problems: Warning[] }}
 */
export function unpack(engine, inputs, limited) {
  const all = inputs.map(input =>
    engine.container(input.read(0, HEAD)) === undefined ? { files: [input], problems: [] } : unpackOne(engine, input, limited),
  )
  return { files: all.flatMap(one => one.files), problems: all.flatMap(one => one.problems) }
}
