import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { chooseLicenses } from './finish/licenses.ts'
import { ask } from './lib/run.mjs'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..')
const FOLDER = join(ROOT, '.github/workflows')
const workflows = readdirSync(FOLDER).map(name => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }))

describe('workflows', () => {
  it.each(workflows)('$name pins its actions by commit, and lists its permissions', ({ text }) => {
    // Workflows of this repository (`./`) are of the same commit, and need no pin.
    const actions = [...text.matchAll(/uses: (?!\.\/)(\S+)(.*)$/gm)]
    expect(actions.length).toBeGreaterThan(0)
    for (const [line, action, comment] of actions) {
      expect(action, line).toMatch(/^actions\/[a-z-]+(?:\/[a-z]+)?@[0-9a-f]{40}$/)
      expect(comment, line).toMatch(/^ # v\d+\.\d+\.\d+$/)
    }
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
    expect(text).not.toMatch(/\t|pull_request_target/)
  })
  it('use one commit per action', () => {
    const used = new Set(
      workflows.flatMap(({ text }) => [...text.matchAll(/uses: (?!\.\/)(\S+)/g)].map(([, action]) => action)),
    )
    expect(new Set([...used].map(action => action?.split('@')[0])).size).toBe(used.size)
  })

  const textOf = (name: string) => workflows.find(workflow => workflow.name === name)?.text ?? ''
  /** Text of each job by its name. */
  const jobsOf = (name: string) => {
    const [, jobs = ''] = textOf(name).split(/^jobs:\n/m)
    return Object.fromEntries(jobs.split(/^(?= {2}[\w-]+:$)/m).map(job => [/^ {2}([\w-]+):/.exec(job)?.[1] ?? '', job]))
  }
  /** Jobs that must have succeeded before this one, directly or not. */
  const neededBy = (jobs: Readonly<Record<string, string>>, job: string): readonly string[] =>
    (/^ {4}needs: \[?([\w, -]+)\]?$/m.exec(jobs[job] ?? '')?.[1]?.split(', ') ?? []).flatMap(names => [
      names,
      ...neededBy(jobs, names),
    ])

  it.each([
    ['pages.yml', 'deploy'],
    ['release.yml', 'publish'],
  ])('%s publishes after all checks, and only the job that does may write', (name, last) => {
    const jobs = jobsOf(name)
    expect(neededBy(jobs, last)).toEqual(expect.arrayContaining(['checks', 'build']))
    expect(jobs.checks).toMatch(/^ {4}uses: \.\/\.github\/workflows\/ci\.yml$/m)
    for (const [job, text] of Object.entries(jobs)) expect(/: write$/m.test(text), job).toBe(job === last)
    expect(jobs[last]).not.toMatch(/npm |cargo |node |checkout/)
  })
  it('check everything: the tests, Firefox, and what is known about dependencies', () => {
    expect(textOf('ci.yml')).toMatch(/^ {2}workflow_call:$/m)
    const { test, firefox, audit } = jobsOf('ci.yml')
    expect(test).toContain('run: .ci/run')
    expect(firefox).toContain('run: npm run test:firefox')
    expect(audit).toMatch(/npm audit --package-lock-only.*cargo audit .*--file parser-wasm\/Cargo\.lock/s)
  })
  it('give a release checksums, and sign where it was built', () => {
    const { build, publish } = jobsOf('release.yml')
    expect(build).toMatch(/sha256sum \* > SHA256SUMS/)
    expect(build).not.toContain('actions/cache@')
    expect(publish).toMatch(
      /sha256sum --check SHA256SUMS.*actions\/attest-build-provenance@.*subject-path: release\/\*.*gh release create/s,
    )
  })
  it('fuzz on a schedule, and keep what was learned', () => {
    expect(textOf('fuzz.yml')).toMatch(/^ {2}schedule:\n {4}- cron: /m)
    // `actions/cache` alone does not save after a failed job, so restore and save are separate steps.
    expect(textOf('fuzz.yml')).toMatch(
      /actions\/cache\/restore@.*path: \.cache\/fuzz\/corpus.*npm run fuzz.*actions\/cache\/save@\S+ # \S+\n {8}if: always\(\)\n.*path: \.cache\/fuzz\/corpus/s,
    )
  })
  it('have time for all targets of the fuzzer', () => {
    const text = textOf('fuzz.yml')
    const targets =
      readFileSync(join(ROOT, 'parser-wasm/fuzz/src/lib.rs'), 'utf8').match(/^ {4}Target \{\n? *name/gm)?.length ?? 0
    const minutesEach = [...text.matchAll(/--minutes (\d+)/g)].reduce((sum, [, minutes]) => sum + Number(minutes), 0)
    expect(targets).toBeGreaterThan(10)
    // The limit has to allow for two builds and for starting each target.
    expect(targets * (minutesEach + 1) + 30).toBeLessThan(Number(/timeout-minutes: (\d+)/.exec(text)?.[1]))
  })
})

describe('packages', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<
      Record<string, { readonly integrity?: string; readonly hasInstallScript?: boolean; readonly inBundle?: boolean }>
    >
  }
  const installed = Object.entries(packages).filter(([path]) => path !== '')
  it('run no script when they are installed', () =>
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]))
  it('are locked with a hash', () =>
    expect(installed.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]))
  it('have exact versions', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d/)])
  })
})

describe('licences', () => {
  /** Licences allowed only for tools that are not shipped; `scripts/finish` checks what is shipped. */
  const TOOLS = ['MPL-2.0']
  /** `MIT/Apache-2.0` is how old crates write a choice; an exception only permits more. */
  const spdx = (license: string) => license.replace(/ WITH LLVM-exception/g, '').replace(/\//g, ' OR ')
  const refused = (
    packages: readonly {
      readonly name: string
      readonly license: string | undefined
      readonly tool?: boolean | undefined
    }[],
  ) =>
    packages.flatMap(({ name, license = '', tool }) => {
      if (tool && TOOLS.includes(license)) return []
      try {
        chooseLicenses(spdx(license))
        return []
      } catch (error) {
        return [`${name}: ${error instanceof Error ? error.message : error}`]
      }
    })

  it('of all npm packages in the lock file are on the list', () => {
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, { readonly license?: string; readonly dev?: boolean }>>
    }
    const all = Object.entries(packages).flatMap(([name, { license, dev }]) =>
      name === '' ? [] : [{ name, license, tool: dev }],
    )
    expect(all.length).toBeGreaterThan(100)
    expect(refused(all)).toEqual([])
    expect(
      refused([
        { name: 'x', license: 'GPL-3.0-only', tool: true },
        { name: 'y', license: 'MPL-2.0' },
        { name: 'z', license: undefined },
      ]),
    ).toHaveLength(3)
  })
  it('of all crates are on the list, also of those for tests and builds', () => {
    const cargo = (...args: readonly string[]) =>
      ask('cargo', ['metadata', '--locked', '--format-version', '1', ...args])
    const host = /host: (\S+)/.exec(ask('rustc', ['-vV']) ?? '')?.[1] ?? ''
    const filter = ['--filter-platform', host]
    const { packages } = JSON.parse(cargo(...filter, '--offline') ?? cargo(...filter) ?? '{"packages":[]}') as {
      packages: readonly { readonly name: string; readonly license: string | null; readonly source: string | null }[]
    }
    const all = packages.flatMap(({ name, license, source }) =>
      source === null ? [] : [{ name, license: license ?? undefined }],
    )
    expect(all.length).toBeGreaterThan(50)
    expect(refused(all)).toEqual([])
  })
})
