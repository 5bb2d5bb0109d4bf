import { print } from '../output/output'
import type { CommandDefinition } from './shared/definition'

export const completion: CommandDefinition = {
  group: 'Help',
  summary: 'Print a shell completion script',
  about: [],
  operands: ['bash', 'zsh', 'fish'],
  options: [],
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/seekscope',
    'completion zsh > ~/.zfunc/_seekscope',
    'completion fish > ~/.config/fish/completions/seekscope.fish',
  ],
  async run({ operands }) {
    await print((await import('../program/completion')).completion(operands[0] ?? ''))
  },
}
