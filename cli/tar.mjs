/** Files as one archive, written as it is asked for: tar of POSIX (pax), as every reader knows it. */

const BLOCK = 512
/** Read at a time. */
const PIECE = 1 << 20
/** What a classic header can say. */
const LONGEST_NAME = 100
const LARGEST = 8 ** 11 - 1

/** @typedef {{ name: string, size: number, read(offset: number, length: number): Uint8Array }} Entry `name`: with folders, apart by / */

const padding = (/** @type {number} */ size) => (BLOCK - (size % BLOCK)) % BLOCK

/** @param {string} name @param {number} size @param {string} type */
function header(name, size, type) {
  const block = Buffer.alloc(BLOCK)
  block.write(name, 0, LONGEST_NAME)
  block.write('0000644\0', 100)
  block.write('0000000\0', 108)
  block.write('0000000\0', 116)
  block.write(`${Math.min(size, LARGEST).toString(8).padStart(11, '0')}\0`, 124)
  block.write(`${'0'.repeat(11)}\0`, 136)
  block.write(' '.repeat(8), 148)
  block.write(type, 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

/** `LENGTH key=value`, where the length counts itself. @param {string} key @param {string | number} value */
function record(key, value) {
  const rest = Buffer.byteLength(` ${key}=${value}\n`)
  let length = rest + 1
  while (length !== rest + String(length).length) length = rest + String(length).length
  return `${length} ${key}=${value}\n`
}

/** Headers of an entry: one block, or three with what does not fit into it. @param {Entry} entry */
function heads({ name, size }) {
  const plain = Buffer.byteLength(name) <= LONGEST_NAME && /^[\x20-\x7e]+$/.test(name)
  const more = Buffer.from(`${plain ? '' : record('path', name)}${size > LARGEST ? record('size', size) : ''}`)
  const own = header(plain ? name : 'long-name', size, '0')
  return more.length === 0 ? own : Buffer.concat([header('more', more.length, 'x'), more, Buffer.alloc(padding(more.length)), own])
}

/** Bytes of the whole archive. @param {readonly Entry[]} entries */
export const tarSize = entries => entries.reduce((sum, entry) => sum + heads(entry).length + entry.size + padding(entry.size), 2 * BLOCK)

/** @param {readonly Entry[]} entries @returns {Generator<Uint8Array>} */
export function* tar(entries) {
  for (const entry of entries) {
    yield heads(entry)
    let at = 0
    while (at < entry.size) {
      const piece = entry.read(at, Math.min(PIECE, entry.size - at))
      // A file that became shorter keeps its place, so that what follows can be read.
      const bytes = piece.length > 0 ? piece : Buffer.alloc(Math.min(PIECE, entry.size - at))
      at += bytes.length
      yield bytes
    }
    yield Buffer.alloc(padding(entry.size))
  }
  yield Buffer.alloc(2 * BLOCK)
}
