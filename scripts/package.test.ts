import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'seekscope-package-'))
/** `empty`: where the package is installed. `bin`: the only folder on the PATH. */
const empty = join(scratch, 'empty')
const bin = join(scratch, 'bin')
afterAll(() => rmSync(scratch, { recursive: true }))

/** Time limit of packing, which includes a build of everything. */
const BUILD_MS = 1_200_000
/** Time limit of the installation, in which npm starts about ten processes. */
const INSTALL_MS = 240_000

function find(program: string): string {
  const folder = (process.env.PATH ?? '')
    .split(delimiter)
    .find(dir => spawnSync('test', ['-x', join(dir, program)]).status === 0)
  if (folder === undefined) throw new Error(`no ${program} on the PATH`)
  return realpathSync(join(folder, program))
}

const env = {
  ...process.env,
  PATH: bin,
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_yes: 'false',
  npm_config_loglevel: 'error',
}

const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr, error } = spawnSync(join(bin, program), args, { cwd: empty, env, encoding: 'utf8' })
  if (error) throw error
  return { status, stdout, stderr }
}

let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] }

beforeAll(() => {
  mkdirSync(empty)
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  for (const program of ['npm', 'npx', 'sh', 'env']) symlinkSync(find(program), join(bin, program))
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--pack-destination', scratch], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stderr)
  // The JSON is preceded by the output of prepack.
  packed = JSON.parse(stdout.slice(stdout.search(/^\[$/m)))[0]
}, BUILD_MS)

test('contains what runs, with licences, and neither sources nor tests', () => {
  const paths = packed.files.map(file => file.path)
  expect(paths).toEqual(
    expect.arrayContaining([
      ...[
        'package.json',
        'README.md',
        'LICENSE-MIT',
        'LICENSE-APACHE',
        'dist/index.html',
        'dist/THIRD-PARTY-NOTICES.txt',
        'dist/seekscope-record',
      ],
      ...['dist-cli/seekscope.mjs', 'dist-cli/seekscope.1', 'dist-cli/THIRD-PARTY-NOTICES.txt'],
    ]),
  )
  expect(paths.filter(path => /\.(ts|tsx|rs|toml)$|test|fixtures|bench|node_modules/.test(path))).toEqual([])
  expect(
    paths.filter(path => path.endsWith('.wasm')),
    'the parts of the engine and statistics once each, among the files of the page',
  ).toHaveLength(4)
  const { dependencies = {} } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(dependencies, 'nothing to fetch').toEqual({})
})

test(
  'runs in an empty folder without Rust, network or build',
  async () => {
    expect(run('npm', 'install', join(scratch, packed.filename))).toMatchObject({ status: 0 })
    for (const name of ['sync-fua', 'sync-no-fua'])
      cpSync(join(ROOT, 'tests/fixtures', name), join(empty, name), { recursive: true })

    const summary = run('npx', 'seekscope', 'summary', '--json', 'sync-fua')
    expect(summary.status).toBe(0)
    // The message is that of the recorder script.
    expect(run('npx', 'seekscope', 'record', '--colour')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('unknown argument: --colour'),
    })
    expect(run('npx', 'seekscope', 'completion', 'bash').stdout).toContain('complete -F')
    const local = spawnSync(process.execPath, [join(ROOT, 'cli/seekscope.mjs'), 'summary', '--json', 'sync-fua'], {
      cwd: empty,
      encoding: 'utf8',
    })
    expect(JSON.parse(summary.stdout)).toEqual(JSON.parse(local.stdout))
    expect(JSON.parse(summary.stdout).traces[0].devices[0].events.Q).toBeGreaterThan(0)
    expect(run('npx', 'seekscope', 'compare', 'sync-no-fua', 'sync-fua').stdout).toContain('fua-appeared')
    expect(run('npx', 'seekscope', 'requests', 'sync-fua', '-o', 'requests.parquet')).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
    expect(readFileSync(join(empty, 'requests.parquet')).subarray(-4).toString()).toBe('PAR1')
    expect(
      run('npx', 'seekscope', 'link', '--base', 'https://seekscope.example/', 'sync-no-fua', 'sync-fua').stdout,
    ).toMatch(/^https:\/\/seekscope\.example\/#v=1&s=[\w-]{1000,}\n$/)
    // Standard error is compared as well: it says why, if this fails.
    expect(run('npx', 'seekscope', 'report', '-o', 'report.html', 'sync-no-fua', 'sync-fua')).toMatchObject({
      status: 0,
    })
    expect(readFileSync(join(empty, 'report.html'), 'utf8')).toContain('id="seekscope-snapshot">')

    const child = spawn(
      join(bin, 'node'),
      [join(empty, 'node_modules/.bin/seekscope'), 'open', '--no-browser', 'sync-fua'],
      { cwd: empty, env },
    )
    const link = await new Promise<URL>((resolve, reject) => {
      child.once('exit', code => reject(new Error(`ended with ${code}`)))
      child.stdout.once('data', text => resolve(new URL(String(text).trim())))
    })
    try {
      const page = await (await fetch(link)).text()
      expect(page).toContain('<title>Seekscope')
      const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? ''
      expect((await fetch(new URL(script, link))).status).toBe(200)
      const trace = new URLSearchParams(link.hash.slice(1)).get('url') ?? ''
      expect((await (await fetch(trace)).arrayBuffer()).byteLength).toBeGreaterThan(10_000)
    } finally {
      child.kill()
    }
  },
  INSTALL_MS,
)
