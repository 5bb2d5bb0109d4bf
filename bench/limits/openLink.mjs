/** Opens the link in a folder's `link.txt` as the page's worker does. */
import { readFileSync } from 'node:fs'
import { OpenedSnapshot } from '../../web/engine/generated/seekscope.js'
import { startEngine } from '../../web/engine/parts.mjs'

/** @param {string} name */
const moduleOf = name =>
  new WebAssembly.Module(readFileSync(new URL(`../../web/engine/generated/${name}_bg.wasm`, import.meta.url)))
startEngine(moduleOf('seekscope'), part => moduleOf(`seekscope_${part}`))
const text = readFileSync(`${process.argv[2]}/link.txt`, 'utf8')
try {
  const snapshot = new OpenedSnapshot(text)
  const { traces } = snapshot.outline()
  for (const i of traces.keys()) snapshot.query(i, 'info', '{}')
} catch (error) {
  // Refused; anything but an error of the engine is a defect.
  if (typeof error !== 'object' || error === null || !('code' in error)) throw error
  process.stderr.write(`${error.code}\n`)
}
