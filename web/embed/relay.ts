/**
 * Passes a message on to a new tab of this page: the reader is asked there, where no other page can cover the question.
 */
import * as v from 'valibot'
import { Addressed, type EmbeddedWindow, type MessageReply, type OpenMessage } from './messages'

/** The interval of `hello`: a page that was just opened misses messages until its script runs. */
const REPEAT_MS = 200

/** Opens the tab, which needs the user's click, and passes its answer on. */
export function relay(message: OpenMessage, host: EmbeddedWindow, answer: (answer: MessageReply) => void): void {
  const { origin, href } = host.location
  const tab = host.open(href.split('#', 1)[0])
  const end = (reply: MessageReply) => {
    clearInterval(timer)
    host.removeEventListener('message', listen)
    answer(reply)
  }
  const listen = ({ data, source, origin: from }: MessageEvent) => {
    if (source === null || source !== tab || from !== origin || !v.is(Addressed, data) || data.id !== message.id) return
    const { seekscope: _, id: __, ...reply } = data as unknown as MessageReply & { seekscope: 1; id: string }
    if (reply.type !== 'ready') return end(reply)
    if (delivery.value) return
    delivery.value = true
    tab?.postMessage(message, origin)
  }
  const delivery = { value: false }
  const timer = setInterval(() => {
    if (!tab || tab.closed)
      return end({ type: 'refused', reason: 'reader', message: 'The new tab was closed or blocked.' })
    if (!delivery.value) tab.postMessage({ seekscope: 1, type: 'hello', id: message.id }, origin)
  }, REPEAT_MS)
  host.addEventListener('message', listen)
}
