#!/usr/bin/env node
/** The engine on the command line. Answers go to standard output, messages to standard error. */
import { HELP, parse, Usage } from './args.mjs'
import { compare } from './compare.mjs'
import { NoEngine } from './engine.mjs'
import { NoPage, open } from './open.mjs'
import { requests } from './requests.mjs'
import { link, report } from './share.mjs'
import { summaryText } from './text.mjs'
import { ofEachTrace } from './traces.mjs'

/** Resolves when the reader has room for more. @param {string} text */
const write = text => new Promise(resolve => process.stdout.write(text, resolve))

/** @param {Extract<import('./args.mjs').Command, { command: 'summary' }>} command */
async function summary({ json, geometry, range, ...given }) {
  const traces = await ofEachTrace(given, (trace, _index, notes, bench) => {
    const span = trace.query('info', '{}').span
    const window = range && { t0: range.t0 ?? 0, t1: range.t1 ?? span + 1 }
    const figures = /** @type {import('./text.mjs').Trace} */ (trace.query('summary', JSON.stringify({ geometry, range: window })))
    return { ...figures, ...(notes.length > 0 && { notes }), ...(bench.length > 0 && { bench }) }
  })
  process.stdout.write(json ? `${JSON.stringify({ schema: 1, traces })}\n` : traces.map(trace => `${summaryText(trace)}\n`).join('\n'))
}

/** Events of one piece of text. */
const LINES = 50_000

/** @param {Extract<import('./args.mjs').Command, { command: 'blkparse' }>} command */
async function blkparse({ summaryOnly, messages, ...given }) {
  await ofEachTrace(given, async (trace, index) => {
    if (index > 0) await write('\n')
    for (let from = 0; !summaryOnly && process.stdout.writable; from += LINES) {
      const text = trace.blkparseText(from, LINES, messages)
      if (text === undefined) break
      await write(text)
    }
    await write(trace.blkparseSummary())
  })
}

/** @param {Extract<import('./args.mjs').Command, { command: 'btt' }>} command */
async function btt({ all, ...given }) {
  process.stdout.write((await ofEachTrace(given, trace => trace.btt(all))).join(''))
}

async function run() {
  const command = parse(process.argv.slice(2))
  if (command.command === 'help') process.stdout.write(`${HELP}\n`)
  else if (command.command === 'summary') await summary(command)
  else if (command.command === 'btt') await btt(command)
  else if (command.command === 'compare') await compare(command)
  else if (command.command === 'open') await open(command)
  else if (command.command === 'requests') await requests(command)
  else if (command.command === 'link') await link(command)
  else if (command.command === 'report') await report(command)
  else await blkparse(command)
}

// A reader that has seen enough (head, less) is no error.
process.stdout.on('error', error => {
  if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPIPE') throw error
})

/** `open` was given a port that is in use. @param {unknown} error @returns {error is Error} */
const isTaken = error => error instanceof Error && 'syscall' in error && error.syscall === 'listen'

try {
  await run()
} catch (error) {
  if (!(error instanceof Usage || error instanceof NoEngine || error instanceof NoPage || isTaken(error))) throw error
  process.stderr.write(`seekscope: ${error.message}\n`)
  if (error instanceof Usage) process.stderr.write(`${HELP}\n`)
  process.exitCode = error instanceof Usage ? 2 : 1
}
