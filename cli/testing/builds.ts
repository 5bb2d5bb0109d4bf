/** For tests: digests of eight builds, of which the last four are another recording. */
import { writeFileSync } from 'node:fs'
import { expect } from 'vitest'
import { run } from './run'

export async function writeBuilds(file: string): Promise<void> {
  const { status, stdout } = await run(['digest', 'tests/fixtures/sync-fua', 'tests/fixtures/sync-no-fua'])
  expect(status).toBe(0)
  const rows = stdout.trim().split('\n')
  const lines = Array.from({ length: 8 }, (_, i) => {
    const row = JSON.parse(rows[i < 4 ? 0 : 1] ?? '') as object
    return JSON.stringify({ ...row, run: `build-${i + 1}`, position: i })
  })
  writeFileSync(file, lines.map(line => `${line}\n`).join(''))
}
