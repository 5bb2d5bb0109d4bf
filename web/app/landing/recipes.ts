/** How to record block I/O, tool by tool. */
export interface Recipe {
  readonly tool: string
  readonly note: string
  readonly lines: readonly string[]
}

const TRACE_POINTS = 'Drop the file on this page. Tracepoints lack sequence numbers, scheduler messages and the device of plug events.'

export const RECIPES: readonly Recipe[] = [
  {
    tool: 'blktrace',
    note: 'Kernel 2.6.17 or later. A trace contains times, sectors, sizes and process names, but no file contents.',
    lines: [
      '# as root: 30 s of /dev/sda; then drop trace.blktrace.* (one file per CPU) on this page',
      'blktrace -d /dev/sda -w 30 -o trace',
      '# or as one file',
      'blkparse -i trace -O -d trace.dump',
    ],
  },
  {
    tool: 'trace-cmd',
    note: TRACE_POINTS,
    lines: ['# as root: 30 s of all disks; then drop trace.dat on this page', 'trace-cmd record -e block -b 20000 -o trace.dat sleep 30'],
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
    lines: ['# as root: 30 s of all disks; then drop perf.data on this page', "perf record -a -m 16M -e 'block:*' -o perf.data -- sleep 30"],
  },
]
