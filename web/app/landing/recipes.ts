/** How to record block I/O, tool by tool. */
export interface Recipe {
  readonly tool: string
  readonly note: string
  readonly lines: readonly string[]
}

const LATER = 'Keep the recording: this version opens what blktrace writes, and not yet this.'

export const RECIPES: readonly Recipe[] = [
  {
    tool: 'blktrace',
    note: 'Kernel 2.6.17 or later. A trace holds no file contents: only times, sectors, sizes and process names.',
    lines: [
      '# as root: 30 s of /dev/sda; then drop trace.blktrace.* (one file a CPU) on this page',
      'blktrace -d /dev/sda -w 30 -o trace',
      '# or as one file',
      'blkparse -i trace -O -d trace.dump',
    ],
  },
  {
    tool: 'trace-cmd',
    note: LATER,
    lines: ['# as root: 30 s of all disks', 'trace-cmd record -e block -o trace.dat sleep 30', 'trace-cmd report -i trace.dat > trace.txt'],
  },
  {
    tool: 'ftrace',
    note: LATER,
    lines: [
      '# as root: 30 s of all disks',
      'cd /sys/kernel/tracing',
      'echo 1 > events/block/enable; sleep 30; echo 0 > events/block/enable',
      'cat trace > /tmp/trace.txt',
    ],
  },
  {
    tool: 'perf',
    note: LATER,
    lines: ['# as root: 30 s of all disks', "perf record -a -e 'block:*' -o perf.data -- sleep 30", 'perf script -i perf.data > trace.txt'],
  },
]
