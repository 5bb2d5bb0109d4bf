import { UsageError } from '../program/usage'
import { exclude, put, readGeometry, readInputs, required } from '../program/values'
import { readFailIf } from './compare'
import { readBase } from './link'
import type { CommandDefinition } from './shared/definition'
import { READING } from './shared/options'

export const publish: CommandDefinition = {
  group: 'Sharing',
  summary: 'Add a run to a directory of runs that any web server can show',
  about: [
    'PATH is one recording: a file, an archive, or a directory with the texts in it. DIR/runs/NAME gets it, its ' +
      'digest, report.txt (the text of summary, or of the comparison with --baseline), summary.json, junit.xml ' +
      'and link.txt (the smallest link).',
    'DIR/index.html opens the page with the table of all runs, DIR/fleet.parquet. Without a web server or ' +
      'scripts it is a plain table of the runs with links to their files; DIR/index.html#runs stays at that table.',
    'Commands may run at the same time. A run whose directory is removed leaves the index with the next ' +
      'command, or with --reindex.',
    '--baseline compares with the run of that name, or with the latest runs (at most 20) that have a label: ' +
      'kernel=6.12 means that label and otherwise the labels of the new run, kernel=6.12,test that label and the ' +
      'same test. Several are repeats, and one side. Where there is none, the run is published without a ' +
      'comparison.',
  ],
  operands: 'optional-paths',
  options: [
    'into',
    'run',
    ['label', 'label of the run, as KEY=VALUE: a column of the table; repeat it'],
    ['baseline', 'compare with run N, by its name, or with the runs that have the labels N, as kernel=6.12,test'],
    ['fail-if', 'exit with status 3 when the run is slower than the baseline, or has a finding, as in compare'],
    'no-recording',
    ['base', 'URL of a hosted Seekscope that the index and the link open (default: the page is put into DIR/page)'],
    'reindex',
    'stripe',
    ...READING,
  ],
  required: ['into'],
  examples: [
    'publish --into /srv/www/io --run 6.12-dd --label kernel=6.12 recording/',
    'publish --into /srv/www/io --run 6.13-dd --label kernel=6.13 --baseline kernel=6.12 run.tar.gz',
    'publish --into /srv/www/io --reindex',
  ],
  async run(call) {
    const { operands, values } = call
    const into = required('publish', values.into, '--into DIR')
    const base = readBase(values)
    exclude(values, 'reindex', 'run')
    exclude(values, 'reindex', 'baseline')
    if (values.reindex) {
      if (operands.length > 0) throw new UsageError('--reindex takes no PATH')
      await (await import('../publish/publish')).reindex({ into, base })
      return
    }
    if (operands.length === 0) throw new UsageError('missing PATH')
    const options = {
      into,
      base,
      labels: values.label ?? [],
      failIf: readFailIf(values),
      keepsRecording: !values['no-recording'],
      ...put('run', values.run),
      ...put('baseline', values.baseline),
      ...readGeometry(values),
    }
    await (await import('../publish/publish')).publish(readInputs(call), options)
  },
}
