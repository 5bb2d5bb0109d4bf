/** The programs of `parser-wasm` that only measure. */
import { join } from 'node:path'
import * as need from '../../scripts/lib/need.mjs'
import { must, WORKSPACE } from '../../scripts/lib/run.mjs'

/** @typedef {'seekscope-stages' | 'seekscope-trial'} MeasuringCrate */

/** @param {MeasuringCrate} crate */
export const programOf = crate => join(WORKSPACE, 'target/release', crate)

/** @param {MeasuringCrate} crate */
export async function buildCrate(crate) {
  await need.rust()
  await must(`The build of ${crate}`, 'cargo', ['build', '--release', '--locked', '-q', '-p', crate], {
    cwd: WORKSPACE,
  })
}
