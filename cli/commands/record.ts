import type { CommandDefinition } from './shared/definition'

export const record: CommandDefinition = {
  group: 'Recording',
  summary: 'Record block I/O, with the facts around it',
  about: [
    'Runs seekscope-record, a POSIX shell script of this package, with sh, and returns its exit status. The ' +
      'script needs neither Node nor this package: copy it to the machine to record, where it leaves one .tar.gz. ' +
      'Linux only; recording needs root.',
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
    ['--files PATH', 'put the place of this file, or of all files in this folder, on the map of the disks'],
    ['--map-time SECONDS', 'time that a map may take, before and after the recording (default 1)'],
    ['--no-map', 'take no map: who owns which sectors, before and after the recording'],
    ['--origin', 'record what the file systems and write-back do: which file and process caused a request'],
    ['--origin-pages', 'the same with an event for every page or call that writes'],
    ['--stacks', 'record the path through the kernel by which requests are submitted'],
    ['--paths', 'keep the names of files and folders, which are replaced by hashes otherwise'],
    ['--no-comm', 'mask process names'],
    ['--arm CONDITION', 'wait, and keep only the seconds around the moment at which this holds: iops<10 for 300ms'],
    ['--when CMD', 'the end of this command is a moment, too'],
    ['--before SECONDS', 'seconds to keep before a moment (default 20)'],
    ['--after SECONDS', 'seconds to keep after it (default 5)'],
    ['--moments N', 'wait for so many moments (default 1); with -w at most for this time'],
    ['--dry-run', 'print what would be run, and run nothing'],
    ['--check', 'print what this machine lacks for recording'],
  ],
  options: [],
  examples: ['record --check', 'record -d /dev/sda -w 30 -l before', 'record -d /dev/sda -n 5 -l 6.12 -- fio job.fio'],
  async run({ operands }) {
    process.exitCode = await (await import('../sharing/record')).record(operands)
  },
}
