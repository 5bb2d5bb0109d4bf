/** Texts about the complete program, for the parser, the help and the manual. */

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
      'PATH is a per-CPU file of blktrace, a base name (sda, dir/sda), a directory (read recursively), a dump ' +
        'of blkparse -d, a text trace, an archive or a compressed file (tar, zip, gzip, bzip2, xz, zstd, nested ' +
        'or not), a mail or mailbox with such files attached, a FIFO, or - for standard input. Text files next to a ' +
        'trace (fio output, lsblk, mdstat, uname) are read as its notes.',
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
      'Messages go to standard error as "seekscope: FILE: code: text". On a terminal, reading that takes over a ' +
        'second shows its progress there. Of more than 100 messages of one code the others are counted.',
      'Control characters and characters that change the direction of text, in names and messages of inputs, ' +
        'are shown as \\u001b; in the output of blkparse, btt and requests only on a terminal.',
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
      ['3', '--fail-if of compare or builds applies'],
    ],
  },
]
