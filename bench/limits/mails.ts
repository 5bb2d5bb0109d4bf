/** Mails and other texts of people, at the worst for each stage that reads them, and texts of several recordings. */
import { always, type WorstCase } from './worst'

const MB = 1e6

/** So many MB of a piece, which may depend on its number, behind a begin. */
function filled(mb: number, piece: string | ((i: number) => string), begin = ''): string {
  if (typeof piece === 'string') return begin + piece.repeat(Math.ceil((mb * MB) / piece.length))
  const pieces = [begin]
  for (let i = 0, size = 0; size < mb * MB; i++) {
    const next = piece(i)
    pieces.push(next)
    size += next.length
  }
  return pieces.join('')
}

const alone = (name: string, content: (scale: number) => string | Uint8Array): WorstCase => ({
  name,
  files: scale => [['mail.txt', content(scale)]],
})

const HEADERS = 'From: a <a@example.org>\nTo: b@example.org\nSubject: x\n'
const MESSAGE = 'From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a\nSubject: x\n\nbody 1\n\n'
const PARTS = `${HEADERS}Content-Type: multipart/mixed; boundary="b"\n\n`
const BASE64 = `${HEADERS}Content-Transfer-Encoding: base64\n\n`
const DD = '1073741824 bytes (1.1 GB, 1.0 GiB) copied, 9.31 s, 115 MB/s\n'

const TRANSPORT: readonly WorstCase[] = [
  always(alone('a mailbox of short messages', scale => filled(scale, MESSAGE))),
  always(alone('a mail of many parts', scale => filled(scale, '--b\nContent-Type: text/plain\n\nx 1 MB/s\n', PARTS))),
  alone('messages within each other', scale =>
    filled(scale, 'Content-Type: message/rfc822\n\nFrom: a\nTo: b\nSubject: c\n', HEADERS),
  ),
  alone('base64', scale => filled(scale, 'VGhlIGZveCBqdW1wcyBvdmVyIDEyIGRvZ3MuCjEyLjUgTUIvcyAK\n', BASE64)),
  alone('a paragraph of format=flowed', scale =>
    filled(scale, 'word 12 \n', `${HEADERS}Content-Type: text/plain; format=flowed\n\n`),
  ),
  alone('HTML of elements that do not end', scale => filled(scale, '<pre><div>', '<html><body>')),
  alone('HTML of references to characters', scale => filled(scale, '&amp;', '<html><body>')),
  alone('a table of HTML', scale => filled(scale, '<tr><td>6.1<td>12 MB/s</tr>\n', '<html><body><table>')),
  alone('codes of a terminal', scale => filled(scale, '\u{1b}[1mx\u{1b}[0m\b \r')),
  alone('UTF-16', scale => Buffer.from(`\u{feff}${filled(scale / 2, '6.1 12 MB/s\n')}`, 'utf16le')),
  always(alone('one line of quotations', scale => filled(scale, ' > '))),
  alone('one line of prompts', scale => filled(scale, 'root@box:~# ls ')),
]

const STRUCTURE: readonly WorstCase[] = [
  alone('quotations of many levels', scale => filled(scale, `${'> '.repeat(40)}12 MB/s\n`)),
  alone('numbers of lines', scale => filled(scale, i => `${String(i + 1).padStart(6)}\tword 12\n`)),
  alone('a rule that was wrapped', scale => filled(scale, '1 2 3\n4\n', 'a b c\nd\n--- --- ---\n---\n')),
  alone('titles', scale => filled(scale, i => `## Kernel 6.${i}\n\n=====\nname:\n`)),
  alone('commands of a shell', scale => filled(scale, 'root@box:~# uname -r\n6.1.0\n')),
  alone('assignments', scale => filled(scale, i => `a${i}=${i}\n`)),
]

const RECOGNITION: readonly WorstCase[] = [
  alone('lines of a word', scale => filled(scale, 'word\n')),
  alone('lines of two words', scale => filled(scale, 'ab cd\n')),
  alone('lines of changing forms', scale => filled(scale, 'word\nab cd\nrow 1 2\na-b: c\n')),
  alone('rows of a label and numbers', scale => filled(scale, i => `row${i} 1 2\n`)),
  alone('titles above rows that are no results', scale => filled(scale, 'Kernel 6.1:\n\na b c\n1 2 3\nfoo bar\n\n')),
  alone('jobs of fio without results', scale => filled(scale, 'job: (groupid=0, jobs=1): err= 0: pid=1: x\n')),
  alone('histograms', scale => filled(scale, '@usecs:\n[64, 128)  10 |@@@|\n[128, 256)  1 |@|\n\n')),
  alone('JSON of objects that do not end', scale => filled(scale, '{"a": [')),
]

const ROBOT =
  'commit: \n  4eb559dd15 ("a")\n  ada76f94c5 ("b")\n\n4eb559dd15671cca ada76f94c5b32c1828955d70f69 \n' +
  '---------------- --------------------------- \n         %stddev     %change         %stddev\n' +
  '             \\          |                \\  \n'

const SIDES: readonly WorstCase[] = [
  alone('outputs of dd', scale => filled(scale, DD)),
  alone('outputs below titles of their own', scale => filled(scale, i => `=== 6.${i} ===\n\n${DD}\n`)),
  alone('outputs that are quoted', scale => filled(scale, i => `> 6.${i}:\n> ${DD}\n6.${i}:\n${DD}\n`)),
  alone('figures that each have a label', scale => filled(scale, i => `test ${i}: ${i} MB/s\n`)),
  always(
    alone('metrics of a kernel test robot', scale =>
      filled(
        scale / 2,
        i => `      ${7000 + i} \u00b1  2%     -21.6%       ${5000 + i}        fs.metric${i}.value\n`,
        ROBOT,
      ),
    ),
  ),
  alone('tables with other headings', scale => filled(scale, i => `kernel  a${i} MB/s\n6.1   101.5\n6.12   112.5\n\n`)),
]

const event = (i: number, time: number) => `  8,0    0 ${i + 1} ${time.toFixed(9)}   100  Q   R ${8 * i} + 8 [fio]\n`
const events = (n: number, from = 0) => Array.from({ length: n }, (_, i) => event(from + i, i * 1e-6)).join('')

const RECORDINGS: readonly WorstCase[] = [
  always(alone('64 recordings that are alike', scale => `with bfq:\n${events(200 * scale)}`.repeat(64))),
  alone('recordings of a few events', scale => filled(scale, i => `run ${i}:\n${events(4, 4 * i)}`)),
  alone('a recording whose times step back', scale => filled(scale, i => event(i, 1 - (i % 1000) * 1e-3))),
  alone('numbers of events in any order', scale => filled(scale, i => event((i * 7919) % 100_003, i * 1e-6))),
]

export const MAILS: readonly WorstCase[] = [...TRANSPORT, ...STRUCTURE, ...RECOGNITION, ...SIDES, ...RECORDINGS]
