import { spawn } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { makeMachine } from '../../tests/recorder/machine'
import { SetupError } from '../program/usage'
import { BUNDLE, run } from '../testing/run'
import { record } from './record'

describe('seekscope record', () => {
  test('passes arguments, output and exit status', async () => {
    const help = await run(['record', '--help'], { env: {} })
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: sh seekscope-record -d DEVICE') })
    const machine = makeMachine()
    try {
      const env = machine.env
      expect(await run(['record', '-d', 'no such disk'], { env })).toMatchObject({
        status: 4,
        stderr: expect.stringContaining('no block device'),
      })
      const dry = await run(['record', '-d', 'vda', '--dry-run'], { env })
      expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining('blktrace -d /dev/vda') })
    } finally {
      machine.remove()
    }
  })

  test('a signal to this process ends the recorder, which restores everything', async () => {
    const machine = makeMachine()
    try {
      const child = spawn(process.execPath, [BUNDLE, 'record', '-d', 'vda', '-w', '100'], {
        cwd: machine.workFolder,
        env: machine.env,
      })
      let heard = ''
      child.stderr.on('data', text => {
        heard += text
      })
      const ended = new Promise(resolve => child.on('close', resolve))
      await vi.waitFor(() => expect(heard).toContain('recording vda'), { timeout: 30_000 })
      child.kill('SIGTERM')
      expect(await ended).toBe(143)
      expect(heard).toContain('everything is restored')
    } finally {
      machine.remove()
    }
  }, 60_000)

  test('the shell is that of the system, whatever PATH is', async () => {
    const machine = makeMachine()
    try {
      const shell = join(machine.workFolder, 'bin', 'sh')
      writeFileSync(shell, `#!/bin/sh\n: > '${machine.workFolder}/pwned'\n`)
      chmodSync(shell, 0o755)
      const env = { ...machine.env, PATH: `:.:${machine.env.PATH}` }
      const dry = await run(['record', '-d', 'vda', '--dry-run'], { env })
      expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining('blktrace -d /dev/vda') })
      expect(existsSync(join(machine.workFolder, 'pwned'))).toBe(false)
    } finally {
      machine.remove()
    }
  })

  test('runs on Linux only', async () => {
    await expect(record([], 'darwin')).rejects.toThrow(SetupError)
    await expect(record([], 'win32')).rejects.toThrow('Linux')
  })
})
