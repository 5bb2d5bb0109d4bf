/** What a page of results says first: from texts, through the engine. */
import { expect, it } from 'vitest'
import { loadEngine } from '../../../cli/input/read/engine'
import type { ResultMatrix } from '../../engine/protocol'
import { readResults } from '../../engine/texts'
import { viewOf } from './results'
import { type ResultVerdict, resultVerdict } from './resultVerdict'
import { sideNames } from './tableSides'

function tableOf(text: string): ResultMatrix {
  const bytes = new TextEncoder().encode(text)
  const [table] = readResults(loadEngine(), [{ path: 'mail.txt', bytes, size: bytes.length }]).document.tables
  if (!table) throw new Error('no table')
  return table
}

/** The sentence with the names of the sides: `[mq-deadline] dd rate 174 MB/s; [BFQ] 113 MB/s.` */
const sentence = ({ sentence: parts }: ResultVerdict): string =>
  parts.map(part => (typeof part === 'string' ? part : `[${part.name}]`)).join('')

function verdictOf(table: ResultMatrix, label?: RegExp): ResultVerdict {
  const figure = table.figures.find(candidate => label?.test(candidate.label) ?? true)
  if (!figure) throw new Error(`no figure ${label}`)
  return resultVerdict(table, figure, viewOf(table, figure))
}

const dd = (side: string, time: string, rate: string) =>
  `Results for ${side}:\n1048576000 bytes (1.0 GB, 1000 MiB) copied, ${time} s, ${rate} MB/s\n\n`

it('has the value of both sides, the base last, and what one run cannot tell', () => {
  const table = tableOf(dd('BFQ', '9.31', '113') + dd('mq-deadline', '6.02', '174'))
  const verdict = verdictOf(table, /rate|throughput/i)
  expect(sentence(verdict)).toMatch(/^\[mq-deadline\] dd .* 174 MB\/s; \[BFQ\] 113 MB\/s\.$/)
  expect(verdict.change).toMatchObject({ text: '+55%', verdict: 'unsure', line: { side: 'mq-deadline' } })
  expect(verdict.counts).toBe('2 figures: 2 unsure')
  expect(verdict.repeats).toMatch(/^one run per cell/)
})

it('is about the side that differs most, and names the others', () => {
  const table = tableOf(dd('none', '6.00', '175') + dd('bfq', '9.31', '113') + dd('kyber', '5.90', '178'))
  const verdict = verdictOf(table, /rate|throughput/i)
  expect(verdict.change?.line.side).toBe('bfq')
  expect(verdict.otherLines.map(({ line, text }) => [line.side, text])).toEqual([['kyber', '+2%']])
})

it('of several cells is the range of their changes', () => {
  const rows = [1, 2, 4, 8, 16, 32].map(threads => `${threads}  ${threads * 100}  ${threads * 50}\n`).join('')
  const verdict = verdictOf(tableOf(`IOPS\n\nthreads  6.1   6.12\n${rows}`))
  expect(sentence(verdict)).toBe('[6.12] IOPS −50% against [6.1] in 6 matched cells; 0 larger, 6 smaller.')
})

it('of cells that go both ways has no mean', () => {
  const rows = [50, 80, 130].map((iops, i) => `${2 ** i}  100  ${iops}\n`).join('')
  const verdict = verdictOf(tableOf(`IOPS\n\nthreads  6.1   6.12\n${rows}`))
  expect(sentence(verdict)).toBe('[6.12] IOPS −50% to +30% against [6.1] in 3 matched cells; 1 larger, 2 smaller.')
})

it('of a single run says that there is nothing to compare with', () => {
  const verdict = verdictOf(tableOf(dd('BFQ', '9.31', '113')), /rate/)
  expect(verdict.change).toBeUndefined()
  expect(sentence(verdict)).toMatch(/ 113 MB\/s: nothing to compare with yet\.$/)
})

it('another base changes no letter of a side', () => {
  const table = tableOf(dd('BFQ', '9.31', '113') + dd('mq-deadline', '6.02', '174'))
  expect(sideNames(table)).toEqual(['BFQ', 'mq-deadline'])
})
