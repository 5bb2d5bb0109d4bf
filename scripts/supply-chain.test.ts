import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const FOLDER = join(ROOT, '.github/workflows')
const workflows = readdirSync(FOLDER).map(name => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

describe('workflows', () => {
  it.each(workflows)('$name pins its actions by commit, and lists its permissions', ({ text }) => {
    const actions = [...text.matchAll(/uses: (\S+)(.*)$/gm)]
    expect(actions.length).toBeGreaterThan(0)
    for (const [line, action, comment] of actions) {
      expect(action, line).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/)
      expect(comment, line).toMatch(/^ # v\d+\.\d+\.\d+$/)
    }
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
    expect(text).not.toMatch(/\t|pull_request_target/)
  })
  it('use one commit per action', () => {
    const used = new Set(workflows.flatMap(({ text }) => [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action)))
    expect(new Set([...used].map(action => action?.split('@')[0])).size).toBe(used.size)
  })
})

describe('packages', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, { readonly integrity?: string; readonly hasInstallScript?: boolean; readonly inBundle?: boolean }>>
  }
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  it('run no script when they are installed', () => expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]))
  it('are locked with a hash', () => expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]))
  it('have exact versions', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d/)])
  })
})
