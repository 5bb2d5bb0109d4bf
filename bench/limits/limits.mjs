/** Inputs that were made up to cost as much as possible, per door, against the promise of docs/security.md. */
import { must, tool } from '../../scripts/lib/run.mjs'
import { dependencies } from '../../scripts/lib/setup.mjs'

/** @type {import('../lib/bench.mjs').Bench} */
export const limits = {
  summary: 'the inputs that cost the most time and memory, per door, at several times the size that tests try',
  operands: '[-- OPTIONS OF VITEST]',
  async run({ operands }) {
    await dependencies()
    const args = [tool('vitest/vitest.mjs'), 'run', '--project', 'limits', ...operands]
    await must('The limits', process.execPath, args)
  },
}
