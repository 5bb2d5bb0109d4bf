import { describe, expect, it, vi } from 'vitest'
import { run, say } from './run.mjs'
import { runStages } from './stages.mjs'

/** Returns what `body` writes to standard output. */
async function capture(body: () => Promise<unknown>): Promise<string> {
  const texts: string[] = []
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation(text => texts.push(String(text)) > 0)
  await body().finally(() => spy.mockRestore())
  return texts.join('')
}

describe('stages', () => {
  it('run beside each other, each after what it needs, and print in the order of the list', async () => {
    const events: string[] = []
    const check = (name: string, ms: number) => async () => {
      events.push(`+${name}`)
      await new Promise(resolve => setTimeout(resolve, ms))
      say(`output of ${name}`)
      events.push(`-${name}`)
      return { code: 0, count: { passed: 2, failed: 0 } }
    }
    const stages = [
      { name: 'slow', check: check('slow', 60) },
      { name: 'quick', check: check('quick', 5) },
      { name: 'late', check: check('late', 5), needs: ['quick'] },
      { name: 'both', check: check('both', 5), cores: 2 },
    ]
    let results: Awaited<ReturnType<typeof runStages>> = []
    const text = await capture(async () => {
      results = await runStages(stages, 2)
    })
    expect(events).toEqual(['+slow', '+quick', '-quick', '+late', '-late', '-slow', '+both', '-both'])
    expect(results.map(({ name, passed, failed }) => [name, passed, failed])).toEqual(
      stages.map(({ name }) => [name, 2, 0]),
    )
    expect([...text.matchAll(/output of (\w+)/g)].map(m => m[1])).toEqual(stages.map(({ name }) => name))
  })

  it('stop at the first failure: programs that run end, later stages do not begin', async () => {
    const begin = Date.now()
    const later = vi.fn(async () => ({ code: 0 }))
    let results: Awaited<ReturnType<typeof runStages>> = []
    const text = await capture(async () => {
      results = await runStages(
        [
          { name: 'long', check: () => run(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']) },
          { name: 'broken', check: () => run(process.execPath, ['-e', 'console.error("no good"); process.exit(3)']) },
          { name: 'later', check: later, needs: ['broken'] },
        ],
        2,
      )
    })
    expect(results).toMatchObject([{ name: 'broken', passed: 0, failed: 1, failures: [] }])
    expect(text).toContain('no good')
    expect(later).not.toHaveBeenCalled()
    expect(Date.now() - begin).toBeLessThan(30_000)
  })
})
