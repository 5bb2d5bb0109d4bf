/** For Vitest; `machine.ts` is for Playwright, too. */
import { onTestFinished } from 'vitest'
import { type Machine, type MachineOptions, makeMachine } from './machine'

/** A machine that is removed after the test. */
export function temporaryMachine(options: MachineOptions = {}): Machine {
  const machine = makeMachine(options)
  onTestFinished(() => machine.remove())
  return machine
}
