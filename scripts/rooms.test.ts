/**
 * No folder has more files than a stranger can hold in mind. What counts is what lies directly in it: sources and style
 * sheets, tests among them. A folder that grows beyond the limit is split by concern into folders with plain names.
 */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './lib/run.mjs'

const MAX_FILES = 20

const SOURCE = /\.(?:tsx?|mjs|rs|css)$/
/** Built, or inputs of tests, which nobody reads as code. */
const SKIPPED = /(?:^|\/)(?:target|generated|node_modules)\/|^tests\/(?:fixtures|found|reports|texts)\//

/** Sources below a folder. Build output is not entered: `target` alone has more files than the project. */
function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap(entry => {
    const path = `${folder}/${entry.name}`
    if (SKIPPED.test(`${path}/`)) return []
    if (entry.isDirectory()) return sourcesBelow(path)
    return SOURCE.test(entry.name) ? [path] : []
  })
}

const counts = new Map<string, number>()
for (const top of ['bench', 'cli', 'parser-wasm', 'scripts', 'tests', 'web'])
  for (const file of sourcesBelow(top)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)

const crowded = [...counts].filter(([, count]) => count > MAX_FILES).map(([folder]) => folder)

test('sources of both languages are counted', () => {
  for (const folder of ['cli/commands', 'parser-wasm/trace/src', 'tests/e2e/charts', 'web/charts/shared/paint'])
    expect(counts.get(folder), folder).toBeGreaterThan(2)
})

test(`no folder has more than ${MAX_FILES} files`, () => {
  expect(crowded).toEqual([])
})
