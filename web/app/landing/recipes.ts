/** How to record block I/O, tool by tool. */

/** The script that records with all facts, next to the page. */
export const RECORDER = 'seekscope-record'

/** The fields of the recorder's command, as typed. */
export interface RecorderFields {
  /** Devices, separated by blanks or commas. */
  readonly devices: string
  readonly seconds: string
  readonly label: string
  /** Which of `RECORDER_PRESETS`, by its question. */
  readonly question: string
}

/** What a recording should answer decides how long and with which options it runs. */
export interface RecorderPreset {
  readonly question: string
  /** Seconds that it proposes. */
  readonly seconds: string
  readonly options: string
}

export const RECORDER_PRESETS: readonly RecorderPreset[] = [
  { question: 'Slow reads or writes', seconds: '30', options: '' },
  // A stall that comes once in some minutes is missed by a short recording.
  { question: 'Stalls now and then', seconds: '600', options: '' },
  // Above some 100,000 requests/s, all events are more than a buffer takes.
  { question: 'A very fast NVMe', seconds: '10', options: ' --issue-complete -b 4096' },
]

export const RECORDER_NOTE = [
  'One shell script without dependencies. It leaves one .tar.gz with the trace, the settings, counters per second and',
  'kernel facts; names that identify the machine are hashed.',
].join(' ')

/** Quotes a word for sh if necessary. */
const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const wholeSeconds = (text: string): number => {
  const seconds = Number(text.trim())
  return Number.isInteger(seconds) && seconds >= 1 && seconds < 1e6 ? seconds : 30
}

/**
 * The command that records these devices. Without a device it is /dev/sda, without whole seconds 30.
 * @param page address of the page, from which the script can be fetched; undefined for a page that is a file
 */
export function recorderLines(
  { devices, seconds, label, question }: RecorderFields,
  page: string | undefined,
): readonly string[] {
  const names = devices.split(/[\s,]+/).filter(Boolean)
  const words = (names.length > 0 ? names : ['/dev/sda']).map(device => ` -d ${shellWord(device)}`)
  const name = label.trim() ? ` -l ${shellWord(label.trim())}` : ''
  const options = RECORDER_PRESETS.find(preset => preset.question === question)?.options ?? ''
  const command = `sudo sh ${RECORDER}${words.join('')} -w ${wholeSeconds(seconds)}${options}${name}`
  return [
    '# 1 on the old kernel, while the workload runs; 2 the same on the new kernel; 3 drop both .tar.gz on this page',
    ...(page === undefined ? [] : [`curl -fsSO ${shellWord(new URL(RECORDER, page).href)}`]),
    command,
    // The alternative is a comment: pasting all lines must record only once.
    `# or five times while a command runs: ${command.replace(/ -w \d+/, '')} -n 5 -- fio job.fio`,
  ]
}

export interface Recipe {
  readonly tool: string
  readonly note: string
  readonly lines: readonly string[]
}

const TRACE_POINTS =
  'Drop the file on this page. Tracepoints lack sequence numbers, scheduler messages and the device of plug events.'

export const RECIPES: readonly Recipe[] = [
  {
    tool: 'blktrace',
    note: 'Kernel 2.6.17 or later. A trace contains times, sectors, sizes and process names, but no file contents.',
    lines: [
      '# as root: 30 s of /dev/sda; then drop trace.blktrace.* (one file per CPU) on this page',
      'blktrace -d /dev/sda -w 30 -b 1024 -n 4 -o trace',
      '# or as one file',
      'blkparse -i trace -O -d trace.dump',
    ],
  },
  {
    tool: 'trace-cmd',
    note: TRACE_POINTS,
    lines: [
      '# as root: 30 s of all disks; then drop trace.dat on this page',
      'trace-cmd record -e block -b 20000 -o trace.dat sleep 30',
    ],
  },
  {
    tool: 'ftrace',
    note: TRACE_POINTS,
    lines: [
      '# as root: 30 s of all disks; then drop trace.txt on this page',
      'cd /sys/kernel/tracing; echo 20000 > buffer_size_kb; echo mono > trace_clock',
      'echo 1 > events/block/enable; sleep 30; echo 0 > events/block/enable',
      'cat trace > /dev/shm/trace.txt',
    ],
  },
  {
    tool: 'perf',
    note: TRACE_POINTS,
    lines: [
      '# as root: 30 s of all disks; then drop perf.data on this page',
      "perf record -a -m 16M -e 'block:*' -o perf.data -- sleep 30",
    ],
  },
]
