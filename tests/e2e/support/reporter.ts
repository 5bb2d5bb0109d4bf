/** Prints at the end of a run how many requests went to which kind of host. */
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { RECORDED, type Recorded } from './recorded'

export default class Requests implements Reporter {
  private readonly all: Recorded[] = []

  onTestEnd(_test: TestCase, result: TestResult) {
    const body = result.attachments.find(attachment => attachment.name === RECORDED)?.body
    if (body) this.all.push(JSON.parse(body.toString()))
  }

  onEnd() {
    const sum = (count: (recorded: Recorded) => number) =>
      this.all.reduce((total, recorded) => total + count(recorded), 0).toLocaleString('en-US')
    const lines = [
      `Requests of ${this.all.length} tests, by pages, workers and service workers (these ${sum(r => r.byServiceWorkers)}):`,
      `  ${sum(r => r.ownHost)} to hosts of the app itself`,
      `  ${sum(r => r.confirmed)} to hosts that were confirmed in the test`,
      `  ${sum(r => r.foreign.length)} to any other host`,
      `  ${sum(r => r.local)} to none (file, blob, data)`,
    ]
    process.stdout.write(`\n${lines.join('\n')}\n`)
  }
}
