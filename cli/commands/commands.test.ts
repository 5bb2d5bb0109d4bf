import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, test } from 'vitest'
import { version } from '../../package.json'
import { completion } from '../program/completion'
import { manual, reference } from '../program/manual'
import { parse } from '../program/program'
import { UsageError } from '../program/usage'
import * as values from '../program/values'
import { ROOT, run } from '../testing/run'
import { COMMAND_NAMES, commandSpec, optionsOf } from '.'
import { readBase, readSize } from './link'
import { readPort } from './open'
import { readFormat } from './requests'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-commands-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Whether this machine has a program. */
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

function printed(...argv: string[]): string {
  const invocation = parse(argv)
  return 'print' in invocation ? invocation.print : ''
}

describe('the program', () => {
  test('--version, help and the man page go to standard output', async () => {
    const [number, help, compareHelp, page] = await Promise.all([
      run(['--version']),
      run(['--help']),
      run(['help', 'compare']),
      run(['man']),
    ])
    expect(number).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect(help).toEqual({ status: 0, stdout: printed('--help'), stderr: '' })
    expect(compareHelp).toEqual({ status: 0, stdout: printed('compare', '--help'), stderr: '' })
    expect(page).toEqual({ status: 0, stdout: manual(), stderr: '' })
    expect(readFileSync(join(ROOT, 'dist-cli/seekscope.1'), 'utf8')).toBe(manual())
  })

  test('wrong usage is one line, the command for help, and status 2', async () => {
    const [flag, none] = await Promise.all([run(['compare', '--strip', 'unit=64KiB', 'a', 'b']), run([])])
    expect(flag).toEqual({
      status: 2,
      stdout: '',
      stderr: "seekscope: unknown option --strip; did you mean --stripe?\nTry 'seekscope compare --help'.\n",
    })
    expect(none).toEqual({ status: 2, stdout: '', stderr: "seekscope: missing command\nTry 'seekscope --help'.\n" })
  })
})

describe('help', () => {
  test('lists every command, and every option of a command, in 80 columns', () => {
    const all = [printed('--help'), ...COMMAND_NAMES.map(name => printed(name, '--help'))]
    for (const name of COMMAND_NAMES) {
      expect(printed('--help')).toContain(`  ${name}`)
      for (const option of optionsOf(name)) expect(printed(name, '--help')).toContain(`--${option.name}`)
    }
    const wide = all.flatMap(text =>
      text.split('\n').filter(line => line.length > 80 && !line.startsWith('  seekscope ')),
    )
    expect(wide).toEqual([])
  })
})

describe('arguments', () => {
  it('keeps the order of repeated options, and takes options after paths', () => {
    expect(parse(['compare', 'a', '--label', 'x', 'b', '--label=y z', '--group', '', '--json'])).toEqual({
      command: 'compare',
      operands: ['a', 'b'],
      values: { label: ['x', 'y z'], group: [''], json: true },
    })
    expect(parse(['open', '--no-browser', '-'])).toEqual({
      command: 'open',
      operands: ['-'],
      values: { 'no-browser': true },
    })
    expect(parse(['btt', '-A', 'a'])).toEqual({ command: 'btt', operands: ['a'], values: { all: true } })
    expect(parse(['requests', '-o', 'x.csv', '--', '--odd'])).toEqual({
      command: 'requests',
      operands: ['--odd'],
      values: { output: 'x.csv' },
    })
  })

  it.each([
    [['measure', 'trace'], /^unknown command measure$/],
    [['sumary', 'trace'], /did you mean summary\?/],
    [['summary'], /^missing PATH$/],
    [['summary', '--colour', 'trace'], /^unknown option --colour$/],
    [['summary', '--rnage', '1:2', 'trace'], /did you mean --range\?/],
    [['requests', '--json', 'trace'], /^--json is not valid for requests$/],
    [['btt', '--json', 'trace'], /^--json is not valid for btt$/],
    [['open', '--no-limits', 'trace'], /^--no-limits is not valid for open$/],
    [['summary', 'trace', '--range'], /^--range needs a value/],
    [['man', 'btt'], /too many arguments/],
  ] as const)('refuses %j', (argv, message) => {
    expect(() => parse(argv)).toThrow(UsageError)
    expect(() => parse(argv)).toThrow(message)
  })

  it.each([
    ['--stripe', () => values.readGeometry({ stripe: 'unit=256,disks=4' })],
    ['--stripe', () => values.readGeometry({ stripe: 'disks=4' })],
    ['unknown key', () => values.readGeometry({ stripe: 'unit=64KiB,disks=4,units=3' })],
    ['--range', () => values.readRange({ range: '2:1' })],
    ['--range', () => values.readRange({ range: '2' })],
    ['--baseline', () => values.readArrangement({ baseline: '0' })],
    ['--port', () => readPort({ port: '99999' })],
    ['--base', () => readBase({ base: 'javascript:alert(1)' })],
    ['--size', () => readSize({ size: 'XL' })],
    ['-o', () => readFormat({ output: 'requests.xlsx' })],
    ['choose', () => values.exclude({ 'summary-only': true, messages: true }, 'summary-only', 'messages')],
  ])('refuses a value: %s', (message, make) => {
    expect(make).toThrow(UsageError)
    expect(make).toThrow(message)
  })

  it('reads values', () => {
    expect(values.readGeometry({ stripe: 'unit=256k,disks=4,start=63s,level=none' })).toEqual({
      geometry: { level: 'none', unit: 512, dataDisks: 4, start: 63 },
    })
    expect([values.readRange({ range: '0.5:2' }), values.readRange({ range: ':2' }), values.readRange({})]).toEqual([
      { range: { t0: 5e8, t1: 2e9 } },
      { range: { t1: 2e9 } },
      {},
    ])
    expect(readBase({ base: 'https://host/app/#v=1' })).toBe('https://host/app/')
  })
})

describe('documents made of the table', () => {
  test('the user guide has the table of commands and options, which `-u` writes', async () => {
    const path = join(ROOT, 'docs/guide/command-line.md')
    const [before = '', table = ''] = readFileSync(path, 'utf8').split(/(?<=\n## All commands and options\n\n)/)
    const after = table.slice(table.search(/\n(?!\||\n\|)/))
    await expect(`${before}${reference().trimEnd()}${after}`).toMatchFileSnapshot(path)
  })

  test('the man page has every command and option, and no line that roff takes for a macro', () => {
    const page = manual()
    for (const name of COMMAND_NAMES) {
      expect(page).toContain(`.SS "${name}"`)
      for (const option of optionsOf(name)) expect(page).toContain(`\\-\\-${option.name.replaceAll('-', '\\-')}`)
    }
    expect(
      page.split('\n').filter(line => /^[.']/.test(line) && !/^\.(TH|SH|SS|TP|B|BR|PP|nf|fi|br)\b/.test(line)),
    ).toEqual([])
    expect(page).toMatch(/^[\x20-\x7e\n]+$/)
  })

  test.runIf(has('groff'))('groff formats the man page without a warning', () => {
    const { status, stderr, stdout } = spawnSync('groff', ['-man', '-Tascii', '-ww', '-z'], {
      input: manual(),
      encoding: 'utf8',
    })
    expect({ status, stderr, stdout }).toEqual({ status: 0, stderr: '', stdout: '' })
  })
})

describe('completion', () => {
  const file = join(scratch, 'completion.bash')

  /** What bash offers for a line whose last word is being typed. */
  function offered(...typed: readonly string[]): readonly string[] {
    writeFileSync(file, completion('bash'))
    const words = ['seekscope', ...typed].map(word => `'${word}'`).join(' ')
    const script = `source ${file}; COMP_WORDS=(${words}); COMP_CWORD=${typed.length}; COMPREPLY=(); _seekscope; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: ROOT })
    expect(stderr).toBe('')
    return stdout.trim().split('\n')
  }

  test.runIf(has('bash'))('bash offers commands, options of the command, choices and files', () => {
    expect(offered('')).toEqual([...COMMAND_NAMES, 'help'])
    expect(offered('com')).toEqual(['compare', 'completion'])
    expect(offered('link', '--s')).toEqual(['--size', '--stripe'])
    expect(offered('link', '--size', '')).toEqual(['XS', 'S', 'M', 'L'])
    expect(offered('link', '--base', '')).toEqual([''])
    expect(offered('report', '-o', 'README.m')).toEqual(['README.md'])
    expect(offered('btt', 'package.j')).toEqual(['package.json'])
    expect(offered('completion', 'f')).toEqual(['fish'])
  })

  test.each(['bash', 'zsh', 'fish'])('%s has every command and option', shell => {
    const script = completion(shell)
    for (const name of COMMAND_NAMES) {
      expect(script).toContain(name)
      for (const option of optionsOf(name))
        expect(script).toContain(shell === 'fish' ? `-l ${option.name} ` : `--${option.name}`)
    }
    if (has(shell))
      expect(spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })

  test('examples in the table are valid command lines', () => {
    for (const name of COMMAND_NAMES) {
      for (const example of commandSpec(name).examples) {
        const words = [
          ...example
            .split(/[|>]/, 1)
            .join('')
            .matchAll(/'([^']*)'|\S+/g),
        ].map(([word, quoted]) => quoted ?? word)
        expect(parse(words)).toMatchObject({ command: name })
      }
    }
  })
})
