/**
 * Temporary folders of the tests. A hook `afterAll` is not enough to remove them: Playwright loads each file in the
 * process that collects the tests, too, and no hook runs there.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folders = new Set<string>()

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

/** Makes a folder whose name begins with `seekscope-` and this name; it is removed when the process ends. */
export function temporaryFolder(name: string): string {
  if (folders.size === 0) process.once('exit', removeAll)
  const folder = mkdtempSync(join(tmpdir(), `seekscope-${name}-`))
  folders.add(folder)
  return folder
}
