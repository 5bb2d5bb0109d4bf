/** The table of options: those of all commands, each once. The files of `commands/` say which command takes which. */
import { LAYERS } from '../../web/engine/protocol'
import { REPORT_FORMS } from '../commands/shared/options'
import { CHARTS } from '../plot/names'

export interface OptionSpec {
  /** One letter. */
  readonly short?: string
  /** Placeholder of the value; a switch has none. */
  readonly value?: string
  readonly repeat?: true
  readonly choices?: readonly string[]
  /** The value is a file name: completed as one. */
  readonly file?: true
  readonly help: string
}

export const OPTIONS = {
  json: { help: 'print one JSON document with full precision' },
  text: { help: 'print plain text for mail: ASCII, 72 columns (the default)' },
  stripe: { value: 'SPEC', help: 'stripe geometry, such as unit=256KiB,disks=4,level=raid5' },
  range: {
    value: 'T0:T1',
    help: 'read only this time window: seconds since the first event; either end may be omitted',
  },
  report: {
    value: 'FORM',
    choices: REPORT_FORMS,
    help: 'print a report to send: mail, bugzilla, github, or kcidb (JSON)',
  },
  'build-id': { value: 'ID', help: 'build of the tested kernel in KCIDB, as origin:name, for --report kcidb' },
  check: { help: 'compare a recording with the recording of its replay, and say how true the replay was' },
  'closed-loop': {
    help: 'write a fio job per process into the new folder of -o: requests wait for completions instead of times',
  },
  moment: {
    value: 'N',
    help: 'compare stall N of one recording, as summary numbers it, with a quiet stretch of that recording',
  },
  noise: {
    value: 'FILE',
    file: true,
    help: "judge changes by FILE, made by 'seekscope noise --json' on repeats of this machine",
  },
  'fail-if': {
    value: 'LIST',
    help: 'exit with status 3 when a run is slower, or has a finding: slower or codes, separated by commas',
  },
  markdown: { help: 'print Markdown, for trackers and merge requests' },
  junit: {
    value: 'FILE',
    file: true,
    help: 'also write JUnit XML: a test per run for slower, or for each name of --fail-if',
  },
  matrix: { help: 'print figures of all runs in rows and columns, by their labels, with a test over matched cells' },
  figure: {
    value: 'KEY',
    repeat: true,
    help: 'figure of the matrix, by its key in compare --json; repeat it (default: the main figures)',
  },
  label: { value: 'L', repeat: true, help: 'label of a run; repeat it, in the order of the runs' },
  group: {
    value: 'G',
    repeat: true,
    help: "group of a run ('' for none); repeat it, in the order of the runs. Runs of one group are repeated runs",
  },
  ungrouped: { help: 'compare each run by itself, also where names or recordings show repeated runs' },
  digests: {
    value: 'FILE',
    file: true,
    repeat: true,
    help:
      'also compare the runs in FILE, written by seekscope digest, or in all Parquet files of a folder; before ' +
      'those of PATH',
  },
  where: {
    value: 'EXPR',
    help: "only runs of --digests with a row for which EXPR holds: \"kernel = '6.12' and device like 'sd%'\"",
  },
  by: {
    value: 'NAME',
    help: 'what names the build of a run: a column of the digests, or a mark in labels (default kernel)',
  },
  series: {
    value: 'NAME',
    repeat: true,
    help: 'what makes a series, as in --by; repeat it (default: what differs within builds)',
  },
  since: { value: 'BUILD', help: 'only changes after this build; earlier ones are still read' },
  good: {
    value: 'PATH',
    file: true,
    repeat: true,
    help: 'runs of the good kernel: a file of seekscope digest, or recordings; repeat it',
  },
  bad: { value: 'PATH', file: true, repeat: true, help: 'runs of the bad kernel, as --good' },
  finding: { value: 'CODE', help: 'follow this finding' },
  'max-runs': { value: 'N', help: 'record at most N times per step (default 8), or of --anchor (default 3)' },
  'max-time': { value: 'S', help: 'end a step after S seconds' },
  state: {
    value: 'DIR',
    file: true,
    help: 'directory of the log (default: seekscope-bisect in the directory of git)',
  },
  anchor: { value: 'SIDE', choices: ['good', 'bad'], help: 'measure good or bad again; later steps use the new runs' },
  baseline: { value: 'N', help: 'compare with run N (default 1)' },
  sides: {
    value: 'BY',
    help:
      'tell the sides of results without a trace apart by heading, file, folder or column:NAME (default: what the ' +
      'text shows)',
  },
  together: { help: 'also print percentiles over the requests of all traces, as of one service on several hosts' },
  device: { value: 'DEV', help: 'compare device vda, md0 or 254,0 (default: the array, else the busiest disk)' },
  output: { short: 'o', value: 'FILE', file: true, help: 'write to FILE' },
  chart: {
    value: 'NAME',
    repeat: true,
    choices: CHARTS,
    help: 'chart to print; repeat it (default: seek-map, queue-depth, throughput and latency)',
  },
  columns: { value: 'N', help: 'width of the text, 40 to 240 columns (default 72, which fits mail)' },
  ascii: { help: 'only printable ASCII (the default unless the locale is UTF-8)' },
  svg: { help: 'write a picture as SVG, drawn as on the page' },
  png: { help: 'write a picture as PNG, drawn as on the page' },
  dark: { help: 'picture with dark colours' },
  layer: {
    value: 'LAYER',
    choices: LAYERS,
    help:
      'colours of the seek map in a picture: density, op, alignment, process, size, latency, sync or object ' +
      '(default: alignment with --stripe, else process if there are several, else op)',
  },
  raw: {
    help:
      'write names in CSV as they are, also those that a spreadsheet runs as formulas (without it, an apostrophe ' +
      'is put before them)',
  },
  iolog: {
    value: 'VERSION',
    choices: ['2', '3'],
    help: 'version of the iolog: 2 keeps times to 1 ms (default); 3 to 1 us, but delays of fio add up',
  },
  filename: { value: 'PATH', help: 'replay on PATH (default: /dev/ and the name of the recorded device)' },
  into: { value: 'DIR', file: true, help: 'directory of the published runs; made if it is missing' },
  run: { value: 'NAME', help: 'name of the run, and of its directory (default: the name of PATH)' },
  'no-recording': { help: 'do not keep the recording: the run has its digest, report and link' },
  reindex: { help: 'only make the index of the runs in DIR again, from their digests' },
  title: { value: 'TEXT', help: 'title of the report (default: the labels)' },
  size: {
    value: 'SIZE',
    choices: ['XS', 'S', 'M', 'L'],
    help:
      'detail of the link: XS has at most 2,000 characters for one or two runs, S (default) keeps two runs below ' +
      '8,000, L is for browsers only',
  },
  base: { value: 'URL', help: 'base URL of the Seekscope instance' },
  names: { help: 'include process names' },
  files: { help: 'include file names' },
  annotate: {
    value: 'NOTE',
    repeat: true,
    help:
      'annotate a time of a run, in seconds since its first event; repeat it. NOTE is A,1.25:TEXT, or with end, ' +
      'sector and author B,1.25..1.5,4096,Jo:TEXT',
  },
  resolution: {
    value: 'WxH',
    help:
      'width and height in pixels, 640x360 to 3840x2160 (default 1280x720); of a GIF at most 1920x1080 (default ' +
      '960x540)',
  },
  fps: {
    value: 'N',
    help: 'frames per second, 1 to 60 (default 30); of a GIF 1, 2, 4, 5, 10, 20, 25 or 50 (default 10)',
  },
  duration: { value: 'S', help: 'length in seconds, 1 to 300 (default 25); of a GIF at most 60' },
  browser: {
    value: 'FILE',
    file: true,
    help: 'draw in this browser, a Chromium or Firefox (default: the first one in PATH)',
  },
  port: { value: 'N', help: 'listen on port N (default: a free port)' },
  idle: { value: 'SECONDS', help: 'end after this time without a request (default 3600; 0: never)' },
  interval: { value: 'SECONDS', help: 'length of an interval (default 1)' },
  follow: { help: 'follow files of blktrace in a directory while they are written' },
  'no-browser': { help: 'print the URL only' },
  'summary-only': { help: 'print the closing summary only' },
  messages: { help: 'also print messages that blkparse 1.2.0 drops' },
  all: { short: 'A', help: 'also print tables per process and per device, and Q2D, as btt -A' },
  'format-string': { value: 'STR', help: 'format that blkparse -f used to print the text' },
  threads: {
    value: 'N',
    help:
      'read with at most N threads (default: the number of cores): several traces at once, or sections of one. ' +
      'Each takes memory of its own',
  },
  'no-limits': { help: 'unpack archives of any size, depth and number of files' },
} as const satisfies Readonly<Record<string, OptionSpec>>

export type OptionName = keyof typeof OPTIONS

export const optionSpec = (name: OptionName): OptionSpec => OPTIONS[name]

/** Values of options as they were written. */
export type OptionValues = {
  readonly [N in OptionName]?: (typeof OPTIONS)[N] extends { readonly repeat: true }
    ? readonly string[]
    : (typeof OPTIONS)[N] extends { readonly value: string }
      ? string
      : boolean
}
