import { describe, expect, it, vi } from 'vitest'
import { createQuestions } from './questions'

const device = { filter: { device: 0 } }

const setUp = ({ reading = false } = {}) => {
  const sent: { id: number; kind: string; ask: unknown }[] = []
  const questions = createQuestions((id, kind, ask) => sent.push({ id, kind, ask }), { reading })
  return {
    sent,
    questions,
    ask: (n: number, channel?: string) => questions.client.query('depth', { filter: { device: n } } as never, channel),
  }
}

describe('questions', () => {
  it('sends two at once, and each that has no channel', async () => {
    const { sent, questions, ask } = setUp()
    const answers = [ask(0), ask(1), ask(2)]
    expect(sent.map(s => s.id)).toEqual([1, 2])
    questions.answered(2, 'two')
    questions.answered(1, 'one')
    expect(sent.map(s => s.id)).toEqual([1, 2, 3])
    questions.answered(3, 'three')
    expect(await Promise.all(answers)).toEqual(['one', 'two', 'three'])
  })

  it('sends what is urgent first, and what nothing waits for to an idle worker', () => {
    const { sent, questions, ask } = setUp()
    const put = (kind: 'seekMap' | 'facets' | 'rate') =>
      void questions.client.query(kind, device as never, kind).catch(() => undefined)
    void ask(0)
    void ask(1)
    for (const kind of ['facets', 'rate', 'seekMap'] as const) put(kind)
    questions.answered(1, '')
    questions.answered(2, '')
    expect(sent.slice(2).map(s => s.kind)).toEqual(['seekMap', 'rate'])
    questions.answered(3, '')
    expect(sent).toHaveLength(4)
    questions.answered(4, '')
    expect(sent[4]?.kind).toBe('facets')
  })

  it('while the worker reads, spends little of its time on what is asked again at the end', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const { sent, questions } = setUp({ reading: true })
    const put = (kind: 'seekMap' | 'facets' | 'stages') =>
      void questions.client.query(kind, device as never, kind).catch(() => undefined)
    const answer = () => questions.answered(sent.at(-1)?.id ?? 0, '')
    put('facets')
    vi.advanceTimersByTime(100)
    answer()
    put('stages')
    vi.advanceTimersByTime(500)
    put('seekMap')
    expect(sent.map(s => s.kind)).toEqual(['facets', 'seekMap'])
    answer()
    expect(sent).toHaveLength(2)
    vi.advanceTimersByTime(400)
    put('seekMap')
    answer()
    expect(sent.at(-1)?.kind).toBe('stages')
    vi.advanceTimersByTime(1000)
    answer()
    put('facets')
    expect(sent.at(-1)?.kind).toBe('stages')
    questions.complete()
    expect(sent.at(-1)?.kind).toBe('facets')
    vi.useRealTimers()
  })

  it('replaces what waits where it stands', async () => {
    const { sent, questions, ask } = setUp()
    const answers = [ask(0), ask(1)]
    const old = ask(2, 'map')
    answers.push(ask(3), ask(4, 'map'))
    await expect(old).rejects.toMatchObject({ name: 'AbortError' })
    questions.answered(1, '')
    expect(sent[2]?.ask).toEqual({ filter: { device: 4 } })
    expect(answers).toHaveLength(4)
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
    expect(sent[2]).toEqual({ id: 3, kind: 'depth', ask: { filter: { device: 3 } } })
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
    for (const answer of waiting) await expect(answer).rejects.toBe(error)
    await expect(questions.client.query('facets', device)).rejects.toBe(error)
    questions.answered(1, 'late')
  })
})
