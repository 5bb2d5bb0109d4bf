import { describe, expect, it } from 'vitest'
import { createQuestions } from './questions'

const device = { filter: { device: 0 } }

const setUp = () => {
  const sent: { id: number; kind: string; ask: unknown }[] = []
  const questions = createQuestions((id, kind, ask) => sent.push({ id, kind, ask }))
  return { sent, questions, ask: (n: number, channel?: string) => questions.client.query('facets', { filter: { device: n } }, channel) }
}

describe('questions', () => {
  it('asks all that have no channel', async () => {
    const { sent, questions, ask } = setUp()
    const answers = [ask(0), ask(1)]
    expect(sent.map(s => s.id)).toEqual([1, 2])
    questions.answered(2, 'two')
    questions.answered(1, 'one')
    expect(await Promise.all(answers)).toEqual(['one', 'two'])
  })

  it('keeps one in flight per channel and lets the newest win', async () => {
    const { sent, questions, ask } = setUp()
    const first = ask(1, 'map')
    const second = ask(2, 'map')
    const third = ask(3, 'map')
    const other = ask(4, 'depth')
    expect(sent.map(s => s.ask)).toEqual([{ filter: { device: 1 } }, { filter: { device: 4 } }])
    await expect(second).rejects.toMatchObject({ name: 'AbortError' })
    questions.answered(1, 'first')
    expect(await first).toBe('first')
    expect(sent[2]).toEqual({ id: 3, kind: 'facets', ask: { filter: { device: 3 } } })
    questions.refused(3, { code: 'bad-query', message: 'no' })
    await expect(third).rejects.toEqual({ code: 'bad-query', message: 'no' })
    questions.answered(2, 'other')
    expect(await other).toBe('other')
    void ask(5, 'map')
    expect(sent).toHaveLength(4)
  })

  it('ends what waits and what comes later with the same reason', async () => {
    const { questions, ask } = setUp()
    const waiting = [ask(1, 'map'), ask(2, 'map'), ask(3)]
    const error = { code: 'engine-crashed', message: 'gone' }
    questions.end(error)
    for (const one of waiting) await expect(one).rejects.toBe(error)
    await expect(questions.client.query('facets', device)).rejects.toBe(error)
    questions.answered(1, 'late')
  })
})
