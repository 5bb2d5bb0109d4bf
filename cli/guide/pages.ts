/**
 * What `seekscope guide` says in words of its own: questions with the commands that answer them, what a figure does not
 * mean, and recipes. A test runs every command.
 */
import type { DocumentName } from '../schema/documents'

interface GuideQuestion {
  readonly question: string
  /** Lines for a shell. */
  readonly lines: readonly string[]
  readonly answer: string
}

/** `before`, `after` and the like are names of recordings; the test has one for each. */
export const QUESTIONS: readonly GuideQuestion[] = [
  {
    question: 'What did a run do, and what held it back?',
    lines: ['seekscope summary before', 'seekscope compare --json before'],
    answer: 'Findings of the run by itself, the most important first; with two runs there are those of the difference.',
  },
  {
    question: 'What is different between two runs, is it real, and why?',
    lines: ['seekscope compare before after', 'seekscope compare --json before after'],
    answer: 'The first run is the baseline. Read outcome, then work.same, then findings, then figures with "real".',
  },
  {
    question: 'Was it noise?',
    lines: [
      'seekscope compare --json repeats/',
      'seekscope noise --json repeats/ > noise.json',
      'seekscope compare --noise noise.json before after',
    ],
    answer:
      'Repeats are grouped by their names, or with --group. A single run is judged by what repeats were ' +
      'measured to differ by; noise measures that on your machine.',
  },
  {
    question: 'Which file, process, call or layer?',
    lines: [
      'seekscope summary --json mapped.tar.xz |',
      "  jq '.traces[0].devices[0].objects.top[:5]'",
      "seekscope compare --json before after | jq '.findings[0].who'",
    ],
    answer:
      'Files need a recording with a map of the disk (seekscope record), calls and stacks their trace points. ' +
      'Processes are those that submitted the first bio of a request: of buffered writes often a kernel thread.',
  },
  {
    question: 'When, within the run?',
    lines: [
      "seekscope compare --json before after | jq '.findings[0].when'",
      'seekscope summary --range 0.5:1.5 before',
      'seekscope plot --ascii --chart queue-depth before after',
    ],
    answer: 'Intervals are in ns since the first event; --range takes seconds.',
  },
  {
    question: 'A device stalled: when, whom did it delay, and what was different?',
    lines: ["seekscope summary --json stall | jq '.traces[0].moments[0]'", 'seekscope compare --json --moment 1 stall'],
    answer:
      'A moment is a stretch in which requests wait and none completes promptly. --moment N, from 1, compares ' +
      'it with a quiet stretch of the same recording, which is the baseline.',
  },
  {
    question: 'Which single requests?',
    lines: ['seekscope requests before -o requests.csv', 'seekscope blkparse before | head'],
    answer: 'A row per request, also as Parquet; or the events, as blkparse prints them.',
  },
  {
    question: 'Which of many runs, settings or builds?',
    lines: [
      'seekscope compare --matrix --json repeats/',
      'seekscope fleet repeats/ -o fleet.parquet',
      'seekscope compare --digests fleet.parquet --where "run = \'r1\'"',
      'seekscope builds --json --by build --digests builds.jsonl',
    ],
    answer:
      'digest and fleet write what a comparison needs of each run, 5 to 10 kB; compare --digests gives the same ' +
      'answer from it. builds finds the builds at which figures changed.',
  },
  {
    question: 'Does a change pass, in CI?',
    lines: ['seekscope compare --fail-if slower --junit result.xml before after'],
    answer: 'Exit status 3 where it does not. An unsure difference does not fail: give three runs of each side.',
  },
  {
    question: 'What do results of a benchmark say, without a trace?',
    lines: ['seekscope compare --json results.txt', 'seekscope summary results.txt'],
    answer: 'Tables in mails and outputs of fio, dd, sysbench and others become figures by side.',
  },
  {
    question: 'What is going on now?',
    lines: ['seekscope top --json before'],
    answer: 'A line per second and device. For a running blktrace: - for standard input, a FIFO, or its directory.',
  },
  {
    question: 'How is a recording made, and shown to a person?',
    lines: ['seekscope record --help', 'seekscope link --size XS before after'],
    answer:
      'record runs as root on the machine to record. A link has the figures in it; report -o makes one HTML file.',
  },
]

/** Paths into documents that scripts need most. Their descriptions are those of the schemas. */
export const KEYS: readonly (readonly [DocumentName, readonly string[]])[] = [
  [
    'summary',
    [
      'traces[].quality.lost_events',
      'traces[].findings[].code',
      'traces[].moments[].kind',
      'traces[].moments[].from_ns',
      'traces[].devices[].span_ns',
      'traces[].devices[].absent',
      'traces[].devices[].states.starved',
      'traces[].devices[].latency_ns',
    ],
  ],
  [
    'compare',
    [
      'outcome',
      'verdict',
      'work.same',
      'findings[].code',
      'findings[].sentence',
      'findings[].accounts_for',
      'findings[].who',
      'figures[].values',
      'figures[].ratio',
      'figures[].real',
      'alone[].findings',
    ],
  ],
  ['noise', ['reads', 'writes']],
  ['top', ['from_ns', 'starved_share', 'latency_ns.d2c.p99']],
  ['builds', ['events[].build', 'events[].changes[].figure', 'events[].cause.command']],
]

/** What a figure does not mean. */
export const TRAPS: readonly string[] = [
  'Absent is not 0. A figure that the recording cannot have has no key; devices[].absent and figures[].absent ' +
    'say why: a mask (blktrace -a), a format without issue or queue events, a device without D (dm, md).',
  'Look at quality first. With lost events or a clock that steps back, depth, waiting and latency are wrong, ' +
    'while sizes and places of what was recorded are right; verdict "unreliable" marks these figures.',
  'A difference that is not real is not equality. Only outcome "equal" and verdict "equal" were shown; "unsure" ' +
    'and "noise" were not. more_runs says how many more runs would tell.',
  'Two runs of one kernel differ, too. Do not compute a ratio from two summaries: compare knows what repeats ' +
    'differ by.',
  'If work.same is false, throughput and times compare different work. Figures per request still hold.',
  'A finding argues, it does not prove. accounts_for is an upper bound; bounds overlap and do not add up. What ' +
    'adds up is lost_ns.',
  'Starved is idle while bios wait. A device without requests is idle, not starved; some schedulers idle on purpose.',
  'Latency: q2c is what the submitter waits for, d2c what the device takes. Of formats without Q, q2c is ' +
    'absent. latency_ns is of requests, latency_bio_ns of bios, of which several may be merged into a request.',
  'Stacked devices (dm, md) see every I/O again: never add up devices of one stack.',
  'Completed bytes include those of requests that failed, as in blkparse.',
  'Times begin at the first event of each trace, which is not the same moment in two recordings. With --range, ' +
    'summary counts what was in flight at its begin; compare reads the part alone, and begins with an empty queue.',
  'Text is rounded to three digits and may change between versions; parse --json. Exit status 1 can come with a ' +
    'complete document about the other inputs: read standard error.',
]

interface GuideRecipe {
  readonly what: string
  readonly lines: readonly string[]
}

export const RECIPES: readonly GuideRecipe[] = [
  {
    what: 'what a comparison says, in three lines',
    lines: ['seekscope compare --json before after |', "  jq -r '.verdict, .work.why, .findings[].sentence'"],
  },
  {
    what: 'figures that really changed, as a table',
    lines: [
      'seekscope compare --json before after |',
      "  jq -r '.figures[] | select(.real) | [.key, .unit, .values[], .ratio] | @tsv'",
    ],
  },
  {
    what: 'the 99th percentile of the device, in ms',
    lines: ['seekscope summary --json before |', "  jq '.traces[].devices[].latency_ns.d2c.p99 / 1e6'"],
  },
  {
    what: 'what a recording cannot show, and why',
    lines: ['seekscope summary --json before |', "  jq '.traces[].devices[] | {dev, recorded, absent}'"],
  },
  {
    what: 'load once, ask often: queries and their schemas are at the URL',
    lines: [
      'exec 3< <(seekscope serve --idle 600 before after)',
      'read -r start <&3',
      'url=$(jq -r .url <<< "$start")',
      'curl -s "$url" | jq -c \'.queries | keys\'',
      `curl -s "$url"'summary?trace=1' | jq '.devices[0].depth'`,
      'curl -s -d \'{"trace": 1, "kind": "stages", "query": {"filter":',
      '  {"device": 0}, "range": {"t0": 0, "t1": 1e9}}}\' "$url"',
      'kill $!',
    ],
  },
]
