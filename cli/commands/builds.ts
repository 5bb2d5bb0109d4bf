import { readBuildsOptions } from '../builds/values'
import type { CommandDefinition } from './shared/definition'

export const builds: CommandDefinition = {
  group: 'Figures',
  summary: 'Find the builds at which figures changed',
  about: [
    'Reads digests of many builds, with one or more runs of each, and finds the builds at which a figure ' +
      'changed its level, per series (scheduler, device, job). Changes of one build are joined: which series have ' +
      'them, which do not, and what a comparison of the two builds finds.',
    'The build of a run is a column of the digests (kernel, run, folder, source), or a mark in its label or ' +
      'path: --by build finds build=41, build-41 and build41. Builds are in the order of their numbers; 6.12-rc3 ' +
      'is before 6.12. What else differs within builds makes series, or --series does.',
    'A build is judged by the median of its runs, and a change needs three builds on both sides. Of all ' +
      'changes, at most 5% are expected to be chance.',
  ],
  options: [
    [
      'digests',
      'read the runs in FILE, written by seekscope digest or fleet; repeat it. A folder is read with all ' +
        'Parquet files in it',
    ],
    'where',
    'by',
    'series',
    [
      'figure',
      'test this figure, by its key in compare --json; repeat it (default: the main figures and those of benchmarks)',
    ],
    'since',
    'json',
    'text',
    'markdown',
    ['output', 'also write one row per change and series: FILE.parquet, FILE.jsonl or FILE.csv'],
    'raw',
    ['fail-if', 'exit with status 3 when a figure changed: worse, changed, or keys of figures, separated by commas'],
  ],
  examples: [
    'builds --digests fleet.parquet',
    'builds --digests fleet.parquet --by build --series scheduler --series model',
    'builds --digests fleet.parquet --by build --since 41 --fail-if worse -o changes.parquet',
  ],
  async run({ values }) {
    const { selection, options } = readBuildsOptions(values)
    await (await import('../builds/builds')).builds(selection, options)
  },
}
