/** The process of a command. */

import { fstatSync } from 'node:fs'
import { standardOutput } from './output/output'
import { writeFully } from './output/write'
import { execute } from './program/execute'
import { isSupervised, supervise } from './program/supervise'

// Whoever writes hears of errors. Of messages nobody does: without a reader there is nobody to tell.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)

// Node takes a short write to a file, as a full disk causes it, for a complete one.
if (fstatSync(1).isFile()) {
  standardOutput.write = (bytes, done) => {
    writeFully(1, Buffer.from(bytes as Uint8Array))
    done()
  }
}

const argv = process.argv.slice(2)
await (isSupervised(argv) ? supervise(argv) : execute(argv))
