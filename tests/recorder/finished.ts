/** Machines for Vitest; `machine.ts` is for Playwright, too, and must not import Vitest. */
import { onTestFinished } from 'vitest'
import { type Machine, type MachineOptions, makeMachine } from './machine'

/** A machine that is removed after the test. */
export function temporaryMachine(options: MachineOptions = {}): Machine {
  const machine = makeMachine(options)
  onTestFinished(() => machine.remove())
  return machine
}
