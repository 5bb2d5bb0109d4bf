/** Every request of the traces among the paths, as one file. */
import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { createFile, pages } from '../web/export/file.js'
import { Usage } from './args.mjs'
import { ofEachTrace } from './traces.mjs'

/** Where the file goes; what is not finished leaves nothing behind. @param {string | undefined} path absent: standard output */
function target(path) {
  if (path === undefined) {
    /** @param {Uint8Array} bytes @returns {Promise<void>} */
    const sink = bytes => new Promise(resolve => process.stdout.write(bytes, () => resolve()))
    return { sink, keep: () => undefined, drop: () => undefined }
  }
  const part = `${path}.part`
  const file = open(part)
  return {
    /** @param {Uint8Array} bytes */
    sink(bytes) {
      for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from)
    },
    keep() {
      closeSync(file)
      renameSync(part, path)
    },
    drop() {
      closeSync(file)
      rmSync(part)
    },
  }
}

/** @param {string} path */
function open(path) {
  try {
    return openSync(path, 'w')
  } catch (error) {
    throw new Usage(`cannot write ${path}: ${error instanceof Error ? error.message : error}`)
  }
}

/** @param {Extract<import('./args.mjs').Command, { command: 'requests' }>} command */
export async function requests({ output, format, geometry, range, ...given }) {
  const { sink, keep, drop } = target(output)
  const file = await createFile(format, sink)
  try {
    const traces = await ofEachTrace(given, async (trace, _index, _notes, _bench, { label, path }) => {
      const info = trace.query('info', '{}')
      const of = { run: label, trace: path.replace(/\.blktrace\.\d+$/, ''), info }
      const window = range && { range: { t0: range.t0 ?? 0, t1: range.t1 ?? info.span + 1 } }
      // Stripes are those of a device, so with a geometry each is asked for by itself.
      const filters = geometry ? info.devices.map((/** @type {{ index: number }} */ { index }) => ({ filter: { device: index, geometry } })) : [{}]
      for (const filter of filters) {
        for await (const page of pages(ask => trace.query('columns', JSON.stringify(ask)), { ...filter, ...window })) await file.add(page, of)
      }
    })
    await file.finish()
    if (traces.length > 0) keep()
    else drop()
  } catch (error) {
    drop()
    throw error
  }
}
