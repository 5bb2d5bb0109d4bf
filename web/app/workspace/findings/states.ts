/** The states of a device in which the time of a run went, in the order of bars and lists; the engine names them. */
import type { STATE_NAMES } from '../../../engine/protocol'

type DeviceState = keyof typeof STATE_NAMES

export const STATES: readonly DeviceState[] = ['starved', 'busy_waiting', 'busy', 'nobody']

/** Tokens of their colours. */
export const STATE_TOKENS: Readonly<Record<DeviceState, string>> = {
  starved: '--starved',
  busy_waiting: '--comp-held',
  busy: '--comp-ok',
  nobody: '--sunken',
}
