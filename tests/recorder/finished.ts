/** For Vitest; `machine.ts` is for Playwright, too. */
import { onTestFinished } from 'vitest'
import { type Machine, type MachineOptions, makeMachine } from './machine'

/** A machine that is removed after the test. */
export function machine(options: MachineOptions = {}): Machine {
  const made = makeMachine(options)
  onTestFinished(() => made.remove())
  return made
}
