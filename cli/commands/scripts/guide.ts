import type { CommandDefinition } from '../shared/definition'

export const guide: CommandDefinition = {
  group: 'For scripts',
  summary: 'Print one page that a script or a language model needs',
  about: [
    'Commands by question, documents with their main keys and units, codes of findings, exit statuses, what a ' +
      'figure does not mean, and recipes: ASCII, 80 columns.',
  ],
  options: [],
  examples: ['guide'],
  async run() {
    await (await import('../../guide/guide')).printGuide()
  },
}
