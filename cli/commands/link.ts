import type { SnapshotSize } from '../../web/engine/protocol'
import { type OptionValues, optionSpec } from '../program/options'
import { UsageError } from '../program/usage'
import { readInputs } from '../program/values'
import { readSharing } from './shared/contents'
import type { CommandDefinition } from './shared/definition'
import { COMPARING, READING } from './shared/options'

export const link: CommandDefinition = {
  group: 'Sharing',
  summary: 'Print a snapshot link of a comparison',
  about: [
    'The link contains the aggregates of the traces, not the traces; nothing is uploaded. A single trace works too.',
  ],
  operands: 'paths',
  options: ['size', 'base', 'names', 'files', 'annotate', ...COMPARING, ...READING],
  examples: [
    'link --base https://HOST/seekscope/ before after',
    "link --size XS --annotate 'B,1.25..1.5:flush storm' before after",
  ],
  async run(call) {
    const { values } = call
    const inputs = readInputs(call)
    const options = { ...readSharing(values), size: readSize(values), base: readBase(values) }
    await (await import('../sharing/share')).link(inputs, options)
  },
}

/** Reads `--base`, a URL without a fragment. */
export function readBase({ base = '' }: OptionValues): string {
  if (base !== '' && !/^(https?|file):$/.test(URL.canParse(base) ? new URL(base).protocol : '')) {
    throw new UsageError(`--base: ${base} is not a URL with http, https or file`)
  }
  return base.replace(/#.*$/s, '')
}

export function readSize({ size = 'S' }: OptionValues): Exclude<SnapshotSize, 'File'> {
  const chosen = (['XS', 'S', 'M', 'L'] as const).find(name => name === size)
  if (!chosen) throw new UsageError(`--size: ${size} is not one of ${optionSpec('size').choices?.join(', ')}`)
  return chosen
}
