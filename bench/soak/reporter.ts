/** Prints what each test of the soak measured, as one table. */
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'
import { MEASURED } from './figures'

export default class SoakTable implements Reporter {
  private readonly rows: (readonly [string, string])[] = []

  onTestEnd(test: TestCase, result: TestResult) {
    const figures = result.annotations.flatMap(({ type, description }) =>
      type === MEASURED && description !== undefined ? [description] : [],
    )
    const state = result.status === 'passed' ? `ok, ${(result.duration / 1000).toFixed(0)} s` : result.status
    this.rows.push([test.title, state], ...figures.map(figure => ['', figure] as const))
  }

  onEnd() {
    const width = Math.max(...this.rows.map(([title]) => title.length))
    process.stdout.write(`\n${this.rows.map(([title, figure]) => `${title.padEnd(width)}  ${figure}`).join('\n')}\n`)
  }
}
