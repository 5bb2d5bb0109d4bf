/**
 * Time for an armed recorder on a made machine. Its reader of conditions sleeps between two samples: a stand-in for
 * `sleep` moves the clock by 100 ms instead, and gives the counters their next values. So a test takes no time, and
 * each sample is what the test says.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryMachine } from './finished'
import type { Machine } from './machine'
import { program, REAL } from './programs'

const INSTANCE = 'sys/kernel/tracing/instances/seekscope'

/** The clock of the machine when it is armed, ms: that of `machine.ts`. */
export const BEGIN = 100_500

/** What happens in 100 ms on vda. */
export interface Step {
  readonly completions: number
  /** Requests in flight at its end. */
  readonly flight: number
  /** Time that each completed request took, ms. */
  readonly took?: number
  /** Time with requests in flight, ms. */
  readonly busy?: number
  /** Time in which a task waited for I/O, ms. */
  readonly pressure?: number
}

export const QUIET: Step = { completions: 20, flight: 1, took: 2, busy: 40, pressure: 5 }
export const STALL: Step = { completions: 0, flight: 3, busy: 100, pressure: 100 }
export const IDLE: Step = { completions: 0, flight: 0 }

export const times = (count: number, step: Step): readonly Step[] => Array.from({ length: count }, () => step)

/** Events every 100 ms, from before the clock of the machine begins until long after a test. */
export function eventText(from = BEGIN - 10_000, to = BEGIN + 120_000): string {
  const lines = ['# tracer: nop', '#']
  for (let ms = from; ms < to; ms += 100) {
    const time = (ms / 1000).toFixed(6)
    lines.push(`              dd-77    [001] .....   ${time}: block_rq_issue: 254,0 W 4096 () 2048 + 8 [dd]`)
  }
  return `${lines.join('\n')}\n`
}

/** A machine with time that passes only by steps. */
export function armedMachine(steps: readonly Step[]) {
  const machine = temporaryMachine({ pipe: '' })
  const put = (path: string, text: string) => writeFileSync(join(machine.root, path), text)
  put(`${INSTANCE}/trace`, eventText())
  mkdirSync(join(machine.root, INSTANCE, 'options'))
  put(`${INSTANCE}/options/overwrite`, '0\n')
  let [clock, completions, took, busy, pressure] = [BEGIN, 1000, 5000, 9000, 0]
  const path = join(machine.workFolder, 'steps')
  const add = (more: readonly Step[]) => {
    for (const step of more) {
      clock += 100
      completions += step.completions
      took += step.completions * (step.took ?? 1)
      busy += step.busy ?? 0
      pressure += (step.pressure ?? 0) * 1000
      const line = [clock * 1_000_000, (clock / 1000).toFixed(2), statistics(step.flight), pressure].join('|')
      appendFileSync(path, `${line}\n`)
    }
  }
  const statistics = (flight: number) => `${completions} 0 8000 ${took} 0 0 0 0 ${flight} ${busy} 0 0 0 0 0 0 0`
  writeFileSync(path, '')
  put('sys/block/vda/stat', `${statistics(1)}\n`)
  add(steps)
  program(machine, 'sleep', passTime(machine, path))
  return {
    machine,
    add,
    /** Steps that the reader of conditions has begun. */
    passed: () => (existsSync(`${path}.done`) ? Number(readFileSync(`${path}.done`, 'utf8')) : 0),
    marker: () => machine.read(`${INSTANCE}/trace_marker`),
    tracing: () => machine.read(`${INSTANCE}/tracing_on`).trim(),
  }
}

/**
 * Only the reader of conditions has `WATCHED`; without a next step, it sleeps in earnest. Then nothing ends it but the
 * test: a recorder whose test was killed is ended here.
 */
function passTime({ root }: Machine, steps: string): string {
  return `[ -n "\${WATCHED-}" ] || { ${REAL('sleep')}; }
[ -d /proc/${process.pid} ] || kill -KILL "$OWNER"
done=0
[ ! -e '${steps}.done' ] || read -r done < '${steps}.done'
line=$(sed -n "$((done + 1))p" '${steps}')
[ -n "$line" ] || { ${REAL('sleep')}; }
IFS='|'
set -- $line
printf 'Timer List Version: v0.10\\nnow at %s nsecs\\n' "$1" > '${root}/proc/timer_list'
printf '%s 0.00\\n' "$2" > '${root}/proc/uptime'
printf '%s\\n' "$3" > '${root}/sys/block/vda/stat'
printf 'some avg10=0.00 avg60=0.00 avg300=0.00 total=%s\\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\\n' "$4" > '${root}/proc/pressure/io'
echo "$((done + 1))" > '${steps}.done'`
}

/** `trigger.txt`: its lines of a key and a value, and the rows of its table. */
export function readTrigger(text: string) {
  const [head = '', table = ''] = text.split('\n\n')
  return {
    field: Object.fromEntries(head.split('\n').map(line => line.split('\t') as [string, string])),
    rows: table
      .trim()
      .split('\n')
      .map(line => line.split('\t')),
  }
}

/** Times of the events of a text, s. */
export const eventTimes = (text: string): readonly number[] =>
  [...text.matchAll(/ (\d+\.\d+): block_/g)].map(([, time]) => Number(time))
