/**
 * What the page does while it is used: frames, and the queries to the engine with their times. Runs inside the page
 * before its own scripts; the workers are seen from outside, so the page is the one that is shipped.
 */

/**
 * @typedef {{ kind: string, channel?: string, posted: number, answered: number, busy: number }} QueryTime ms; `busy`
 * without the wait for earlier queries
 * @typedef {{ frames: number[], input: number, queries: QueryTime[], shown: number, painted: number }} Watched
 * deltas of frames from the first to the last input, the time of the last input, and of the frame after the last
 * answer; `painted`: the first frame after the last input that the main thread had finished with
 */

export function installWatch() {
  /** @type {Map<Worker, Map<number, { kind: string, ask: unknown, posted: number, replay?: (ms: number) => void }>>} */
  const open = new Map()
  /** @type {QueryTime[]} */
  let queries = []
  /** @type {number[]} */
  let times = []
  /** @type {Map<string, { worker: Worker, kind: string, ask: unknown }>} */
  const latest = new Map()
  let [first, input, id, read] = [0, 0, 1e9, 0]
  const waiting = () => [...open.values()].some(asked => asked.size > 0)

  const Own = window.Worker
  window.Worker = class extends Own {
    /** @param {string | URL} url @param {WorkerOptions} [options] */
    constructor(url, options) {
      super(url, options)
      /** @type {Map<number, { kind: string, ask: unknown, posted: number, replay?: (ms: number) => void }>} */
      const asked = new Map()
      open.set(this, asked)
      let free = 0
      this.addEventListener('message', ({ data }) => {
        if (data?.type === 'ready') read = performance.now()
        const query = asked.get(data?.id)
        if (query === undefined) return
        asked.delete(data.id)
        const answered = performance.now()
        const busy = answered - Math.max(query.posted, free)
        free = answered
        if (query.replay) query.replay(busy)
        else queries.push({ kind: query.kind, posted: query.posted, answered, busy })
      })
    }
    /** @override @param {any} message @param {any} [more] */
    postMessage(message, more) {
      if (message?.type === 'query') {
        const { kind, ask } = message
        open.get(this)?.set(message.id, { kind, ask, posted: performance.now() })
        latest.set(kind, { worker: this, kind, ask })
      }
      super.postMessage(message, more)
    }
    /** @override */
    terminate() {
      open.get(this)?.clear()
      super.terminate()
    }
  }
  const onInput = () => {
    const now = performance.now()
    first ||= now
    input = now
  }
  for (const type of ['pointermove', 'pointerdown', 'pointerup', 'wheel', 'input', 'keydown', 'click'])
    addEventListener(type, onInput, { capture: true, passive: true })
  const frame = (/** @type {number} */ time) => {
    times.push(time)
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)

  /** Resolves when no query has been open for so many ms. @param {number} rest */
  const idle = rest =>
    new Promise(resolve => {
      let since = performance.now()
      const check = () => {
        const now = performance.now()
        if (waiting()) since = now
        if (now - since >= rest) resolve(undefined)
        else requestAnimationFrame(check)
      }
      check()
    })
  const begin = () => {
    queries = []
    times = []
    first = input = 0
  }
  /** @returns {Watched} */
  const end = () => {
    const last = Math.max(input, ...queries.map(q => q.answered))
    const during = times.filter(t => t >= first && t <= input)
    const frames = during.slice(1).map((t, i) => t - (during[i] ?? t))
    // The frame that follows the input is drawn when the next one begins.
    const [, painted = last] = times.filter(t => t > input)
    return { frames, input, queries, painted, shown: times.find(t => t > last) ?? last }
  }
  /**
   * The time of the latest query of each kind that has a range, posted again with nothing else to do: the fastest of
   * three, ms.
   */
  const alone = async () => {
    /** @type {Record<string, number>} */
    const found = {}
    for (const { worker, kind, ask } of [...latest.values()]) {
      const { range, ...rest } = Object(ask)
      if (!range) continue
      for (let i = 0; i < 3; i++) {
        const ms = await new Promise(resolve => {
          const queryId = ++id
          open.get(worker)?.set(queryId, { kind, ask, posted: performance.now(), replay: resolve })
          // A range that begins a little earlier: the answer is not one that it kept.
          Own.prototype.postMessage.call(worker, {
            type: 'query',
            id: queryId,
            kind,
            ask: { ...rest, range: { ...range, t0: range.t0 - 1 - i } },
          })
        })
        found[kind] = Math.min(found[kind] ?? Number.POSITIVE_INFINITY, ms)
      }
    }
    return found
  }
  /** ms since the last trace was complete. */
  const sinceRead = () => performance.now() - read
  Object.assign(window, { benchWatch: { idle, begin, end, alone, sinceRead } })
}
