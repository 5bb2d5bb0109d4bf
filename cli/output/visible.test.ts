/** Nothing from an input moves the cursor, changes the terminal or turns text around. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { AT, isNote, recordsOf } from '../../tests/bad-inputs/records'
import { visible, visibleIn, visibleLine } from '../../web/lib/text/visible'
import { tar } from '../sharing/tar'
import { FIXTURES, run, shell } from '../testing/run'

const scratch = mkdtempSync(join(tmpdir(), 'seekscope-visible-'))
afterAll(() => rmSync(scratch, { recursive: true }))

/** Changes the title of a terminal; 8-bit CSI; turns text around; a line of its own. */
const NAME = '\x1b]0;x\x07\u009bm\u202e'
const MESSAGE = '\x1b[2J\x1b[31mred\nline'

/** A recording whose tasks and messages have such texts. */
function hostile(): string {
  const folder = mkdtempSync(join(scratch, 'h-'))
  for (const cpu of [0, 1]) {
    const records = recordsOf(readFileSync(join(FIXTURES, `partitions-bfq-1w/trace.blktrace.${cpu}`)))
    for (const record of records) {
      if (!isNote(record)) continue
      const kind = record.readUInt32LE(AT.action) & 0xff
      if (kind === 0) record.fill(0, AT.payload).write(NAME, AT.payload)
      if (kind === 2 && record.length > AT.payload + 20) record.write(MESSAGE, AT.payload)
    }
    writeFileSync(join(folder, `trace.blktrace.${cpu}`), Buffer.concat(records))
  }
  return folder
}

/** All but line ends and tabs. */
const CONTROL = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const trace = hostile()

test('shows them as JSON does, and leaves all other text alone', () => {
  expect(visible('a\tb\nc\x1b[0m\x7f\u0085\u202e\u200b\r')).toBe('a\tb\nc\\u001b[0m\\u007f\\u0085\\u202e\\u200b\\u000d')
  expect(visibleLine('a\tb\n\u{e0041}')).toBe('a\\u0009b\\u000a\\udb40\\udc41')
  expect(visible('µs × é 漢字 😀')).toBe('µs × é 漢字 😀')
  expect(visibleIn({ a: ['\x1b', 1, null, { b: '\n' }] })).toEqual({ a: ['\\u001b', 1, null, { b: '\\u000a' }] })
  const name = `{"a":"${NAME}"}`
  expect(JSON.parse(visible(JSON.stringify(name)))).toBe(name)
})

test.each([
  ['summary'],
  ['summary', '--json'],
  ['compare'],
  ['compare', '--json'],
  ['compare', '--markdown'],
  ['compare', '--matrix', join(FIXTURES, 'sync-fua')],
  ['plot', '--label', `${NAME}${MESSAGE}`],
  ['plot', '--svg', '--label', `${NAME}${MESSAGE}`],
])('%s %s', async (...args) => {
  const { status, stdout } = await run([...args, trace])
  expect(status).toBe(0)
  expect(stdout).not.toMatch(CONTROL)
})

test.each([['digest'], ['replay'], ['noise', '--json']])('%s %s into a pipe, or a file', async (...args) => {
  const { stdout } = await run([...args, trace])
  expect(stdout).not.toMatch(CONTROL)
  if (args[0] !== 'digest') return
  const out = join(scratch, 'out.jsonl')
  expect((await run([...args, trace, '-o', out])).status).toBe(0)
  expect(readFileSync(out, 'utf8')).toBe(stdout)
  expect(JSON.stringify(JSON.parse(stdout.split('\n')[0] ?? ''))).toContain('\\u001b]0;x')
})

test('a file of JUnit', async () => {
  const out = join(scratch, 'out.xml')
  await run(['compare', '--junit', out, '--label', `a${NAME}`, '--label', `b${NAME}`, trace, trace])
  const xml = readFileSync(out, 'utf8')
  expect(xml).toContain('&#x202e;')
  expect(xml).not.toMatch(CONTROL)
})

test('the names are the same ones in JSON', async () => {
  const { stdout } = await run(['summary', '--json', trace])
  expect(stdout).toContain('\\u001b]0;x\\u0007\\u009bm\\u202e')
  expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(NAME).slice(1, -1))
})

const native = [['blkparse', '--messages'], ['btt', '-A'], ['requests']] as const
const hasScript = spawnSync('script', ['--version']).status === 0

test.each(native)('%s writes what the native tool writes, but not to a terminal', async (...args) => {
  const { stdout } = await shell(`seekscope ${args.join(' ')} ${trace}`)
  expect(stdout).toContain('\x1b]0;x\x07')
  if (!hasScript) return
  const { stdout: shown } = await shell(
    `script -qec '"$NODE" "$BUNDLE" ${args.join(' ')} ${trace}' /dev/null < /dev/null`,
  )
  expect(shown).toContain('\\u001b]0;x\\u0007')
  // The terminal makes the line ends.
  expect(shown.replaceAll('\r\n', '\n')).not.toMatch(CONTROL)
})

test('names of files and of entries of archives, and what is typed', async () => {
  const odd = join(scratch, 'a\x1b[31m\u202eb\nseekscope: c')
  writeFileSync(odd, Buffer.from([0xff, 0xd8, 0xff, 0xe0]))
  const archive = join(scratch, 'odd.tar')
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0])
  writeFileSync(archive, Buffer.concat([...tar([{ name: 'x\x1b]0;y\x07\u009b\nz.jpg', size: 4, read: () => bytes }])]))
  const folder = join(scratch, 'b\x1bc')
  cpSync(join(FIXTURES, 'io-errors'), folder, { recursive: true })
  const { stderr, stdout } = await run(['summary', odd, archive, 'no/\x1bfile', folder])
  expect([...stderr.trimEnd().split('\n')].every(line => line.startsWith('seekscope: ') && !CONTROL.test(line))).toBe(
    true,
  )
  expect(stderr.trimEnd().split('\n')).toHaveLength(3)
  expect(stdout).not.toMatch(CONTROL)
  expect(stdout).toContain('b\\u001bc')
  expect((await run(['summary', '--\x1bx', 'a'])).stderr).not.toMatch(CONTROL)
})
