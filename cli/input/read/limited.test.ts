/** Machines that give a process little: a line instead of a stack. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIXTURES, shell } from '../../testing/run'

const TRACE = join(FIXTURES, 'requeue')

test.each([`summary ${TRACE}`, `report -o /dev/null ${TRACE}`, `plot ${TRACE}`])(
  '%s without address space for the engine',
  async command => {
    const { status, stdout, stderr } = await shell(`ulimit -v 4000000; seekscope ${command}`)
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/^seekscope: the engine cannot be started: [^\n]+ulimit -v unlimited\)\n$/),
    ])
  },
)

test.each([`summary ${TRACE}`, `report -o /dev/null ${TRACE}`, `fleet ${TRACE} -o /dev/null/x.parquet`])(
  '%s with too few open files',
  async command => {
    const { status, stdout, stderr } = await shell(`ulimit -n 20; seekscope ${command}`)
    expect([status, stdout, stderr]).toEqual([
      1,
      '',
      'seekscope: too many open files: raise the limit (ulimit -n 256)\n',
    ])
  },
)
