/**
 * The table of commands and options. The parser, `--help`, the errors, the man page, the shell completion and the
 * table in docs/user-guide.md are all made from it.
 */

import { CHARTS } from '../plot/names'
import { type OptionName, type OptionSpec, optionSpec } from './options'

export type CommandGroup = 'Recording' | 'Figures' | 'Sharing' | 'Native formats' | 'Help'

export interface CommandSpec {
  readonly group: CommandGroup
  /** One line. */
  readonly summary: string
  /** Paragraphs for `--help` and the man page. */
  readonly about: readonly string[]
  /**
   * `paths`: one or more PATH arguments; `optional-paths`: or none; `folder`: one directory; `passed`: all arguments
   * are those of another program; a list: one of these words.
   */
  readonly operands?: 'paths' | 'optional-paths' | 'folder' | 'passed' | readonly string[]
  /** Options of that program: what to write, and the help. */
  readonly passed?: readonly (readonly [string, string])[]
  /** A name, or a name and the help that replaces the option's own. */
  readonly options: readonly (OptionName | readonly [OptionName, string])[]
  readonly required?: readonly OptionName[]
  /** Arguments after `seekscope`. */
  readonly examples: readonly string[]
}

const COMPARING = ['stripe', 'device', 'label', 'group', 'ungrouped', 'baseline'] as const
const READING_COMPLETE = ['format-string', 'no-limits', 'threads'] as const
/** The complete recording is read, where it fits. */
const RANGE_OF_FIGURES = [
  'range',
  'only this time window: seconds since the first event; either end may be omitted',
] as const
const READING = ['range', ...READING_COMPLETE] as const

export const COMMANDS = {
  record: {
    group: 'Recording',
    summary: 'Record block I/O, with the facts around it',
    about: [
      'Runs seekscope-record, a POSIX shell script of this package, with sh, and returns its exit status. The script needs neither Node nor this package: copy it to the machine to record, where it leaves one .tar.gz. Linux only; recording needs root.',
    ],
    operands: 'passed',
    passed: [
      ['-d DEVICE', 'record this block device: /dev/sda, md0; repeat it for an array and its members'],
      ['-w SECONDS', 'record for this time (default 30); with COMMAND at most for this time'],
      ['-l LABEL', 'name of the run (default: the kernel release)'],
      ['-o FILE', 'write the archive to FILE (default: seekscope-LABEL-TIME.tar.gz)'],
      ['-n N', 'record N times: repeats show what differences are noise'],
      ['--ab A.sh B.sh', 'run A.sh or B.sh before each recording, in the order A B B A'],
      ['--drop-caches', 'write back and drop the page cache before each recording'],
      ['-b KIB', 'size of a buffer of the tracer (default: by the free memory, at most 4096)'],
      ['--issue-complete', 'record only issue and completion: less data for very fast devices'],
      ['--tracer NAME', 'use only this tracer: blktrace, tracefs, trace-cmd or perf'],
      ['--no-comm', 'mask process names'],
      ['--dry-run', 'print what would be run, and run nothing'],
      ['--check', 'print what this machine lacks for recording'],
    ],
    options: [],
    examples: [
      'record --check',
      'record -d /dev/sda -w 30 -l before',
      'record -d /dev/sda -n 5 -l 6.12 -- fio job.fio',
    ],
  },
  summary: {
    group: 'Figures',
    summary: 'Print figures per trace and device',
    about: [
      'Prints queue depth, starved time, latency per stage, request sizes, seeks, merges, flushes, alignment and the quality of each trace. Text rounds to three digits; --json has full precision.',
    ],
    operands: 'paths',
    options: ['json', 'stripe', RANGE_OF_FIGURES, 'sides', ...READING_COMPLETE],
    examples: [
      'summary before after',
      'summary --json --range 2:5 before',
      'summary --stripe unit=256KiB,disks=4,start=63s,level=raid5 before',
    ],
  },
  compare: {
    group: 'Figures',
    summary: 'Compare runs: what changed, whether it exceeds noise, and why',
    about: [
      'Each trace is a run, in the order of the paths; devices recorded together (md0 and its members) are one trace. Text is the same as "Copy as plain text" on the page; --json has every figure with ratio, confidence interval and significance, and the findings with their rule and evidence.',
      'A single run is explained by itself: what held it back, when and who, why its slowest requests were slow, and its figures, as text, JSON or Markdown.',
      'Without --stripe, the geometry of an array that is described in a text file next to the trace is used.',
      'Without a trace, tables in mails and outputs of benchmarks are compared as a matrix. The first line says how they were read: by what the sides are told apart, how many numbers are not used, and how else it could be read (--sides).',
      'With --digests, runs come from files of seekscope digest in place of traces or in addition to them; the answer is the same. --where takes columns of the file, =, !=, <, <=, >, >=, in, like, is null, and, or, not and parentheses.',
      'Repeated runs are grouped as recorded, or as their names show (nr64-1, nr64-2 against nr4-1, nr4-2; old/run1, new/run1); --group and --ungrouped override this.',
      'A change between single runs is significant beyond its confidence interval and beyond what repeats of one measurement usually differ by; groups of repeated runs show smaller ones.',
    ],
    operands: 'optional-paths',
    options: [
      'json',
      'text',
      'markdown',
      'matrix',
      'figure',
      'fail-if',
      'junit',
      'noise',
      'digests',
      'where',
      'sides',
      ...COMPARING,
      ...READING,
    ],
    examples: [
      'compare before after',
      'compare before',
      'compare --fail-if slower,flushes-appeared before after',
      'compare --matrix --figure iops 6.1/ 6.12/',
      'compare --sides file old.txt new.txt',
      "compare --digests fleet.parquet --where \"kernel in ('6.1', '6.12') and device = 'sda'\"",
      'compare --json --group 6.1 --group 6.1 --group 6.12 --group 6.12 r1 r2 r3 r4',
    ],
  },
  top: {
    group: 'Figures',
    summary: 'Show figures of the last second while blktrace is running',
    about: [
      'Follows a stream of blktrace (-, a FIFO, or a directory in which it writes) and shows per device and process what was completed in the last interval: IOPS, MB/s, requests in flight, starved time, latency and sizes. Keys: q quits, space pauses, i r w f l n sort.',
      'Where standard output is not a terminal, prints a line per device and interval. An interval is printed when its requests are completed, 2 s after its end at the latest; the column open counts those that are not.',
      'Of a recording that is complete, all intervals are printed.',
    ],
    operands: 'paths',
    options: [
      'interval',
      ['json', 'print a JSON document per device and interval, with its processes'],
      ['follow', 'wait for more in a directory, also if nothing was written in the last 10 s'],
    ],
    examples: ['top - < fifo', 'top --interval 5 --json /var/log/blktrace'],
  },
  noise: {
    group: 'Figures',
    summary: 'Measure what repeated runs differ by',
    about: [
      'Traces in directories that differ only in the number of a repeat (dd/r1, dd/r2; 6.1-run1, 6.1-run2; dd/1, dd/2) are repeated runs of one measurement. Prints for each figure, for runs that read and for runs that write, the standard deviation between repeats and the difference below which 95% of all pairs are. A figure needs 20 pairs: seven measurements with three repeats each, for example.',
      'compare --noise uses the document of --json in place of the table that comes with Seekscope.',
    ],
    operands: 'paths',
    options: ['json', 'stripe', ...READING],
    examples: ['noise repeats/', 'noise --json repeats/ > noise.json'],
  },
  plot: {
    group: 'Figures',
    summary: 'Print charts as text, or write them as a picture',
    about: [
      'Draws the charts of the page without a browser: as text that can be pasted into mail, or as one SVG or PNG. Several runs are one above the other on the same axes; the words below each chart have the figures of the range.',
      'In braille a seek map has a dot wherever there are requests; with --ascii it has letters, or the density of each cell. Reads and writes have separate plots, letters or, on a terminal, colours (not with NO_COLOR). In the chart of latency, ! is a failed request.',
      'Results of benchmarks without a trace are drawn as on the page: bars of the sides, lines over threads or block sizes, histograms of latencies.',
      `Charts: ${CHARTS.join(', ')}; one word is enough where only one chart has it (depth). stripes and alignment need --stripe, or a description of the array next to the trace.`,
    ],
    operands: 'paths',
    options: [
      'chart',
      'columns',
      'ascii',
      'svg',
      'png',
      'dark',
      ['output', 'write FILE.svg, FILE.png or FILE.txt'],
      'stripe',
      ['device', 'show device vda, md0 or 254,0 (default: the array, else the busiest disk)'],
      'label',
      ['range', 'only this time window: seconds since the first event; either end may be omitted'],
      ...READING_COMPLETE,
    ],
    examples: [
      'plot before after',
      'plot --chart seek-map --range 2:3 before',
      'plot --ascii --columns 132 before after',
      'plot before after -o comparison.png',
      'plot mail.txt -o results.svg',
    ],
  },
  requests: {
    group: 'Figures',
    summary: 'Export requests as CSV or Parquet',
    about: ['Writes one row per request, all traces in one table. Without -o, CSV goes to standard output.'],
    operands: 'paths',
    options: [['output', 'write FILE.csv or FILE.parquet'], 'raw', 'stripe', RANGE_OF_FIGURES, ...READING_COMPLETE],
    examples: ['requests before after -o requests.parquet'],
  },
  digest: {
    group: 'Figures',
    summary: 'Write all that a comparison needs of each run as a table',
    about: [
      'Writes one row per run and device: labels, settings, quality, all figures with intervals and over time, and the digest, from which compare --digests gives the same answer as from the traces. Without -o, JSON lines go to standard output.',
    ],
    operands: 'paths',
    options: [['output', 'write FILE.parquet or FILE.jsonl'], 'stripe', ...READING],
    examples: ['digest 6.1/ 6.12/ -o digests.parquet', 'digest - < run.tar.gz'],
  },
  fleet: {
    group: 'Figures',
    summary: 'Write the digests of a folder of recordings, several at once',
    about: [
      'Each archive below FOLDER, and each folder with traces in it, is read by itself, with the texts in it. What could not be read is in FILE.errors.parquet, with its reason. With -o FOLDER/ there is a file per kernel and device, FOLDER/kernel=6.12/device=sda/part.parquet, which engines of tables read as one. A command that was stopped resumes where it was; recordings that have not changed since FILE was written (by their SHA-256) are not read again, and those that are gone leave it.',
    ],
    operands: 'folder',
    options: [
      ['output', 'write FILE.parquet, or FOLDER/ with a file per kernel and device'],
      'stripe',
      'no-limits',
      ['threads', 'read N recordings at once (default: the number of cores)'],
    ],
    required: ['output'],
    examples: ['fleet /srv/recordings -o fleet.parquet', 'fleet /srv/recordings -o fleet/'],
  },
  builds: {
    group: 'Figures',
    summary: 'Find the builds at which figures changed',
    about: [
      'Reads digests of many builds, with one or more runs of each, and finds the builds at which a figure changed its level, per series (scheduler, device, job). Changes of one build are joined: which series have them, which do not, and what a comparison of the two builds finds.',
      'The build of a run is a column of the digests (kernel, run, folder, source), or a mark in its label or path: --by build finds build=41, build-41 and build41. Builds are in the order of their numbers; 6.12-rc3 is before 6.12. What else differs within builds makes series, or --series does.',
      'A build is judged by the median of its runs, and a change needs three builds on both sides. Of all changes, at most 5% are expected to be chance.',
    ],
    options: [
      [
        'digests',
        'read the runs in FILE, written by seekscope digest or fleet; repeat it. A folder is read with all Parquet files in it',
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
    required: ['digests'],
    examples: [
      'builds --digests fleet.parquet',
      'builds --digests fleet.parquet --by build --series scheduler --series model',
      'builds --digests fleet.parquet --by build --since 41 --fail-if worse -o changes.parquet',
    ],
  },
  link: {
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
  },
  report: {
    group: 'Sharing',
    summary: 'Write a comparison as a single HTML file',
    about: [
      'The file contains the app, the aggregates of the traces and the findings as text. It opens in any browser without a network. A single trace works too.',
    ],
    operands: 'paths',
    options: [['output', 'write FILE.html'], 'title', 'names', 'files', 'annotate', ...COMPARING, ...READING],
    required: ['output'],
    examples: ["report before after -o comparison.html --title 'dd on four partitions'"],
  },
  open: {
    group: 'Sharing',
    summary: 'Open traces in the browser, served on 127.0.0.1',
    about: [
      'Serves the page and these traces to this machine only, until Ctrl-C. Each directory and base name is opened separately, in the order given; files that are named one by one are opened together.',
      'What blktrace writes to standard input or a FIFO is shown while it is written; with --follow, files in a directory too.',
    ],
    operands: 'paths',
    options: ['range', 'follow', 'port', 'no-browser'],
    examples: ['open before after', 'open --range 10:20 before after', 'open -', 'open --follow recording/'],
  },
  movie: {
    group: 'Sharing',
    summary: 'Write playback of the seek map and the queue as a video or GIF',
    about: [
      'Draws up to four runs on one clock, as Playback on the page does: what is in flight, what was completed, and counters per run. The video is WebM (VP9, or VP8 where the browser has no VP9); FILE.gif is an animated GIF that repeats.',
      'A browser draws it, without a window and with a profile of its own that is removed afterwards: Chromium, Chrome, Edge, Brave or Firefox. It gets the traces as from open, on 127.0.0.1 only.',
    ],
    operands: 'paths',
    options: [
      ['output', 'write FILE.webm or FILE.gif'],
      'resolution',
      'fps',
      'duration',
      'range',
      ['title', 'title of the video (default: the labels)'],
      ['label', 'label of a run; repeat it, in the order of the paths'],
      ['device', 'show device vda, md0 or 254,0 (default: the array, else the busiest disk)'],
      'stripe',
      ['dark', 'light text on a dark background'],
      'browser',
    ],
    required: ['output'],
    examples: [
      'movie before after -o comparison.webm',
      'movie --duration 10 before after -o comparison.gif',
      'movie --range 10:12 --resolution 1920x1080 --duration 20 before after -o burst.webm',
    ],
  },
  blkparse: {
    group: 'Native formats',
    summary: 'Print events as blkparse -i does',
    about: [],
    operands: 'paths',
    options: ['summary-only', 'messages', ...READING],
    examples: ['blkparse before | less', 'blkparse --summary-only before'],
  },
  btt: {
    group: 'Native formats',
    summary: 'Print the tables of btt',
    about: [],
    operands: 'paths',
    options: ['all', ...READING],
    examples: ['btt before', 'btt -A before'],
  },
  replay: {
    group: 'Native formats',
    summary: 'Write the requests of a trace for replay with fio',
    about: [
      'Writes a fio iolog of version 3 (FILE.fio or standard output), or a dump of version 7 that blkparse, btt and fio read (FILE.bin), of all CPUs in one file. Requests are written as the driver got them, in the order of issue (D), or of queueing (Q) where no issues were recorded. fio replays them at their times with --read_iolog=FILE.fio; it overwrites the disk.',
      'An iolog has no FUA and no priorities: a write with FUA is a write. Commands passed through to the device are left out and counted on standard error.',
    ],
    operands: 'paths',
    options: [
      ['output', 'write FILE.fio or FILE.bin'],
      ['device', 'only device vda or 254,0 (default: all disks of the trace)'],
      'filename',
      ...READING,
    ],
    examples: [
      'replay before -o before.fio',
      'replay before --filename /dev/nullb0 -o before.fio',
      'replay before -o before.bin',
    ],
  },
  completion: {
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
  },
  man: {
    group: 'Help',
    summary: 'Print the manual page in roff',
    about: [],
    options: [],
    examples: ['man | man -l -'],
  },
} as const satisfies Readonly<Record<string, CommandSpec>>

export type CommandName = keyof typeof COMMANDS

export const commandSpec = (name: CommandName): CommandSpec => COMMANDS[name]
export const COMMAND_NAMES = Object.keys(COMMANDS) as readonly CommandName[]

/** Options of a command, each with the help that holds for it. */
export const optionsOf = (name: CommandName): readonly (OptionSpec & { readonly name: OptionName })[] =>
  commandSpec(name).options.map(entry => {
    const [option, help] = typeof entry === 'string' ? [entry] : entry
    const spec = optionSpec(option)
    return { ...spec, name: option, help: help ?? spec.help }
  })

const OPERANDS = { paths: 'PATH...', 'optional-paths': '[PATH]...', folder: 'FOLDER', passed: '[OPTION]...' } as const

/** What the arguments after the options are called. */
export const operandsText = ({ operands }: CommandSpec): string =>
  operands === undefined ? '' : typeof operands === 'string' ? OPERANDS[operands] : operands.join('|')

/** Flags of the options that a command passes on: `--ab`. */
export const passedFlags = ({ passed = [] }: CommandSpec): readonly string[] =>
  passed.map(([term]) => term.split(' ', 1)[0] ?? term)

/** `-o, --output FILE`. */
export const optionTerm = ({ name, short, value }: OptionSpec & { readonly name: string }): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`

export const NAME = 'seekscope'
export const TAGLINE = 'blktrace analysis: figures, comparison of runs, export and sharing'

/** Sections of the manual that no command owns; the first column of `terms` is a term, the second its description. */
export const TOPICS: readonly {
  readonly title: string
  readonly text: readonly string[]
  readonly terms?: readonly (readonly [string, string])[]
}[] = [
  {
    title: 'Paths',
    text: [
      'PATH is a per-CPU file of blktrace, a base name (sda, dir/sda), a directory (read recursively), a dump of blkparse -d, a text trace, an archive or a compressed file (tar, zip, gzip, bzip2, xz, zstd, nested or not), a FIFO, or - for standard input. Text files next to a trace (fio output, lsblk, mdstat, uname) are read as its notes.',
    ],
  },
  {
    title: 'Stripe geometry',
    text: ['SPEC is a list of key=value, separated by commas:'],
    terms: [
      ['unit=SIZE', 'bytes per disk in one stripe: 256KiB, 256k, 1MiB, or 512s in sectors of 512 bytes'],
      ['disks=N', 'data disks, without those for parity (default 1)'],
      ['start=SIZE', 'first sector of the array or partition (default 0)'],
      [
        'level=LEVEL',
        'raid0, raid5, raid6, raid10 or none (default none); raid5 and raid6 add the cost of partial stripes',
      ],
    ],
  },
  {
    title: 'Messages',
    text: [
      'Messages go to standard error as "seekscope: FILE: code: text". On a terminal, reading that takes over a second shows its progress there. Of more than 100 messages of one code the others are counted.',
      'Control characters and characters that change the direction of text, in names and messages of inputs, are shown as \\u001b; in the output of blkparse, btt and requests only on a terminal.',
      'An output file is written under another name in its directory, and gets its name when it is complete.',
    ],
  },
  {
    title: 'Exit status',
    text: [],
    terms: [
      ['0', 'success, also when the reader of standard output ends first (head, less)'],
      ['1', 'an input could not be read (the others are still reported), or the output could not be written'],
      ['2', 'wrong usage'],
    ],
  },
]
