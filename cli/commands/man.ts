import { print } from '../output/output'
import type { CommandDefinition } from './shared/definition'

export const man: CommandDefinition = {
  group: 'Help',
  summary: 'Print the manual page in roff',
  about: [],
  options: [],
  examples: ['man | man -l -'],
  async run() {
    await print((await import('../program/manual')).manual())
  },
}
