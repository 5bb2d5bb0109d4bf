/**
 * A made machine for the recorder: trees of /proc, /sys and /dev below one folder, and stand-ins for the kernel's
 * interface in a folder of programs. What a stand-in "records" is a real recording of `tests/fixtures`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
export const SCRIPT = join(ROOT, 'public/seekscope-record')
const FIXTURES = join(ROOT, 'tests/fixtures')

/** Names of the machine that must not be in an archive. */
export const SECRETS = {
  host: 'db7.customer.example',
  shortHost: 'db7',
  serial: 'S5Y1NX0R900123K',
  wwn: '5002538f30b01a2c',
  uuid: '0f2a7c7e-93d1-4a57-8a0e-6a3c1d2b9e55',
  arrayUuid: '3e8c5b1a:77d2f0c4:9ab1c2d3:e4f50617',
  mount: '/srv/customer-data',
  cgroup: 'payroll.service',
  password: 'hunter2',
} as const

export interface MachineOptions {
  readonly cpus?: number
  /** Free memory of the machine, KiB. */
  readonly available?: number
  /** Fixture whose files blktrace writes, and its device. */
  readonly fixture?: string
  /** What blktrace prints instead of recording. */
  readonly refused?: string
  /** Events that its summary calls dropped. */
  readonly dropped?: number
  /** Text of trace_pipe; without it there is no tracefs. */
  readonly pipe?: string
  /** No tmpfs with room: /dev/shm is on the recorded disk. */
  readonly noTmpfs?: boolean
}

export interface Machine {
  /** Folder that contains all paths of the machine. */
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  readonly workFolder: string
  /** Recorders that have not ended. */
  readonly recorders: Set<ChildProcess>
  /** Content of a file of the machine. */
  read(path: string): string
  remove(): void
}

/** The tree of a machine: its files, and links between them. */
function makeTree(root: string) {
  const write = (path: string, text: string | Uint8Array) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const link = (path: string, to: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    symlinkSync(to, join(root, path))
  }
  return { root, put: write, link }
}

type MachineTree = ReturnType<typeof makeTree>

/** A virtio disk with a partition, one with a WWN, one without either, and a mirror of two of them. */
function addDisks({ root, put: write, link }: MachineTree): void {
  const disk = (name: string, dev: string, more: Readonly<Record<string, string>> = {}) => {
    const files = {
      dev: `${dev}\n`,
      size: '524288\n',
      ro: '0\n',
      stat: ' 100 0 800 10 200 0 1600 20 0 30 30 0 0 0 0 0 0\n',
      'queue/scheduler': '[mq-deadline] none\n',
      'queue/nr_requests': '256\n',
      'queue/read_ahead_kb': '128\n',
      'queue/logical_block_size': '512\n',
      'queue/rotational': '0\n',
      'queue/iosched/fifo_batch': '16\n',
      ...more,
    }
    for (const [file, text] of Object.entries(files)) write(`sys/block/${name}/${file}`, text)
    link(`sys/class/block/${name}`, `../../block/${name}`)
    write(`dev/${name}`, '')
    mkdirSync(join(root, `sys/kernel/debug/block/${name}/hctx0`), { recursive: true })
    write(`sys/kernel/debug/block/${name}/hctx0/tags`, 'nr_tags=256\nnr_reserved_tags=0\n')
    write(`sys/kernel/debug/block/${name}/hctx0/rq_list`, '000000001 {.op=WRITE}\n')
  }
  // The serial number has no newline at its end: virtio prints it so.
  disk('vda', '254:0', {
    serial: SECRETS.serial,
    'vda1/dev': '254:1\n',
    'vda1/partition': '1\n',
    'vda1/start': '2048\n',
    'vda1/size': '500000\n',
  })
  link('sys/class/block/vda1', '../../block/vda/vda1')
  disk('vdb', '254:16', { wwid: `naa.${SECRETS.wwn}\n`, 'device/model': 'EXAMPLE SSD\n' })
  disk('vdc', '254:32')
  disk('md0', '9:0', {
    'md/level': 'raid1\n',
    'md/raid_disks': '2\n',
    'md/chunk_size': '0\n',
    'md/uuid': `${SECRETS.arrayUuid}\n`,
  })
  mkdirSync(join(root, 'sys/block/md0/slaves/vda'), { recursive: true })
  mkdirSync(join(root, 'sys/block/md0/slaves/vdb'), { recursive: true })
}

/** What the kernel says of itself in /proc and /sys, and what is mounted. */
function addKernel(
  { root, put: write }: MachineTree,
  { cpus, available, noTmpfs }: { readonly cpus: number; readonly available: number; readonly noTmpfs: boolean },
): void {
  write('proc/uptime', '100.50 190.00\n')
  write(
    'proc/timer_list',
    'Timer List Version: v0.10\nHRTIMER_MAX_CLOCK_BASES: 8\nnow at 100500000000 nsecs\n\ncpu: 0\n',
  )
  write(
    'proc/stat',
    `cpu  10 0 10 100 5 0 0 0 0 0\n${Array.from({ length: cpus }, (_, i) => `cpu${i} 10 0 10 100 5 0 0 0 0 0\n`).join('')}intr 100 1 2 3\nctxt 500\n`,
  )
  write('proc/meminfo', `MemTotal: ${available * 2} kB\nMemFree: ${available} kB\nMemAvailable: ${available} kB\n`)
  write('proc/diskstats', ' 254 0 vda 100 0 800 10 200 0 1600 20 0 30 30 0 0 0 0 0 0\n')
  write('proc/vmstat', 'nr_free_pages 1000\nnr_dirty 5\n')
  write(
    'proc/pressure/io',
    'some avg10=0.00 avg60=0.00 avg300=0.00 total=10\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=5\n',
  )
  write(
    'proc/pressure/cpu',
    'some avg10=0.00 avg60=0.00 avg300=0.00 total=10\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n',
  )
  write('proc/version', `Linux version 6.12.1 (root@${SECRETS.host}) #1 SMP\n`)
  write(
    'proc/cmdline',
    `BOOT_IMAGE=/vmlinuz root=UUID=${SECRETS.uuid} quiet rd.password=${SECRETS.password} rootpw=${SECRETS.password} nvme.poll_queues=4\n`,
  )
  write('proc/mounts', `/dev/vda1 ${SECRETS.mount} ext4 rw,relatime 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n`)
  write('proc/mdstat', 'Personalities : [raid1]\nmd0 : active raid1 vdb[1] vda[0]\n')
  write('proc/interrupts', '  CPU0\n 1: 5 virtio0\n')
  write('proc/sys/kernel/hostname', `${SECRETS.host}\n`)
  write('proc/sys/vm/dirty_ratio', '20\n')
  write('proc/sys/vm/drop_caches', '0\n')
  write('proc/self/cgroup', `0::/system.slice/${SECRETS.cgroup}\n`)
  write(`sys/fs/cgroup/system.slice/${SECRETS.cgroup}/io.max`, '254:0 rbps=max wbps=1048576 riops=max wiops=max\n')
  write(
    `sys/fs/cgroup/system.slice/${SECRETS.cgroup}/io.stat`,
    '254:0 rbytes=0 wbytes=4096 rios=0 wios=1 dbytes=0 dios=0\n',
  )
  const shm = noTmpfs ? '30 1 254:1 / /dev/shm rw - ext4 /dev/vda1 rw' : '30 1 0:25 / /dev/shm rw - tmpfs tmpfs rw'
  write(
    'proc/self/mountinfo',
    `1 0 254:1 / / rw - ext4 /dev/vda1 rw\n${shm}\n31 1 254:1 / ${SECRETS.mount} rw - ext4 /dev/vda1 rw\n32 1 254:32 / /other rw - ext4 /dev/vdc rw\n`,
  )
  write('etc/os-release', 'ID=example\nVERSION_ID=1\n')
  write('etc/machine-id', '0123456789abcdef0123456789abcdef\n')
  mkdirSync(join(root, SECRETS.mount.slice(1)), { recursive: true })
  mkdirSync(join(root, 'other'))
}

/** Programs that answer as the real ones do; blktrace "records" the fixture. */
function addPrograms(
  root: string,
  base: string,
  {
    fixture,
    dropped,
    refused,
  }: { readonly fixture: string; readonly dropped: number; readonly refused: string | undefined },
): string {
  const programs = join(base, 'bin')
  mkdirSync(programs)
  const program = (name: string, text: string) => {
    writeFileSync(join(programs, name), `#!/bin/sh\n${text}`)
    chmodSync(join(programs, name), 0o755)
  }
  // Makes what the kernel makes (the files that say that tracing is set up), and "records" the fixture.
  program(
    'blktrace',
    `[ "$1" != -V ] || { echo 'blktrace version 2.0.0'; exit 0; }
${refused === undefined ? '' : `echo '${refused}' >&2; exit 1\n`}
printf '%s\\n' "$*" >> '${base}/blktrace.calls'
while [ $# -gt 0 ]; do case $1 in -D) dir=$2 ;; -d) devices="$devices \${2##*/}" ;; -w) window=$2 ;; esac; shift; done
finish() {
  for device in $devices; do
    echo "=== $device ==="
    echo "  Total:                    200 events (dropped ${dropped}),       10 KiB data"
    rm -f '${root}'/sys/kernel/debug/block/$device/msg
  done
  exit 0
}
trap finish TERM INT
for device in $devices; do
  cp '${join(FIXTURES, fixture)}'/$device.blktrace.* "$dir"
  : > '${root}'/sys/kernel/debug/block/$device/msg
done
left=$((\${window:-100} * 10))
while [ "$left" -gt 0 ]; do sleep 0.1; left=$((left - 1)); done
finish
`,
  )
  // Stand-ins for programs that print the identity of a disk.
  program(
    'lsblk',
    `case "$*" in
  '-J -O') printf '{"blockdevices": [\\n {"name":"vda",\\n "maj:min":"254:0",\\n "serial":"${SECRETS.serial}",\\n "wwn":"0x${SECRETS.wwn}",\\n "uuid":"${SECRETS.uuid}",\\n "label":"customers",\\n "sched":"mq-deadline",\\n "mountpoint":"${SECRETS.mount}",\\n "id-link":"ata-${SECRETS.serial}"}\\n]}\\n' ;;
  '-no SERIAL') echo '${SECRETS.serial}' ;;
  '-no WWN') echo '0x${SECRETS.wwn}' ;;
  '-no UUID') echo '${SECRETS.uuid}' ;;
esac
`,
  )
  program(
    'uname',
    `case $1 in -n) echo ${SECRETS.host} ;; -r) echo 6.12.1 ;; -v) echo '#1 SMP' ;; -m) echo x86_64 ;; *) echo Linux ;; esac\n`,
  )
  program(
    'mdadm',
    `printf '/dev/md0:\\n  Raid Level : raid1\\n  Name : ${SECRETS.shortHost}:0\\n  UUID : ${SECRETS.arrayUuid}\\n'\n`,
  )
  for (const name of ['blockdev', 'dmsetup', 'lscpu', 'trace-cmd', 'perf'])
    program(name, `echo 'not here' >&2; exit 1\n`)
  return programs
}

/** An instance of ftrace whose pipe has this text. */
function addTracing({ put: write }: MachineTree, pipe: string): void {
  const instance = 'sys/kernel/tracing/instances/seekscope'
  for (const file of ['trace_clock', 'buffer_size_kb', 'trace_marker']) write(`${instance}/${file}`, '')
  write(`${instance}/tracing_on`, '0\n')
  write(`${instance}/trace_pipe`, pipe)
  write(`${instance}/per_cpu/cpu0/stats`, 'entries: 0\noverrun: 0\n')
  write('sys/kernel/tracing/saved_cmdlines', '77 dd\n')
  const events: readonly (readonly [string, boolean])[] = [
    ['block_rq_issue', true],
    ['block_rq_complete', true],
    ['block_bio_queue', true],
    ['block_plug', false],
    ['block_touch_buffer', true],
    ['block_dirty_buffer', true],
  ]
  for (const [event, numbered] of events) {
    for (const folder of [instance, 'sys/kernel/tracing']) {
      write(`${folder}/events/block/${event}/enable`, '0\n')
      write(`${folder}/events/block/${event}/filter`, 'none\n')
      write(
        `${folder}/events/block/${event}/format`,
        numbered ? 'name: x\n\tfield:dev_t dev;\toffset:8;\n' : 'name: x\n',
      )
    }
  }
}

/** `254, 0` with a disk of virtio, partitioned and mounted; sda with a serial number; md0 on both. */
export function makeMachine(options: MachineOptions = {}): Machine {
  const { cpus = 2, available = 2 << 20, fixture = 'two-devices', dropped = 0, noTmpfs = false, refused } = options
  const base = mkdtempSync(join(tmpdir(), 'recorder-'))
  const root = join(base, 'root')
  const tree = makeTree(root)
  for (const folder of ['dev/shm', 'tmp', 'run', 'var/tmp']) mkdirSync(join(root, folder), { recursive: true })
  addDisks(tree)
  addKernel(tree, { cpus, available, noTmpfs })
  const programs = addPrograms(root, base, { fixture, dropped, refused })
  if (options.pipe !== undefined) addTracing(tree, options.pipe)
  const recorders = new Set<ChildProcess>()
  return {
    root,
    recorders,
    env: {
      ...(process.env as Record<string, string>),
      TMPDIR: '',
      SEEKSCOPE_ROOT: root,
      PATH: `${programs}:${process.env.PATH}`,
    },
    workFolder: base,
    read: path => readFileSync(join(root, path), 'utf8'),
    // A test that failed leaves its recorder, which would wait for ever. Its watchdog may still work in the folder.
    remove: () => {
      for (const recorder of recorders) recorder.kill('SIGKILL')
      rmSync(base, { recursive: true, maxRetries: 10 })
    },
  }
}

/** Shells of this machine that the script must run in; the first is what `sh` is. */
export const SHELLS: readonly (readonly string[])[] = [['sh'], ['dash'], ['busybox', 'sh'], ['bash', '--posix']].filter(
  ([program = '']) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0,
)

export interface Recorded {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the script on a machine to its end. */
export function record(
  machine: Machine,
  args: readonly string[],
  shell: readonly string[] = ['sh'],
  env: Readonly<Record<string, string>> = {},
): Promise<Recorded> {
  return start(machine, args, shell, env).finished
}

/** Starts the script in a process group of its own, as a terminal does. */
export function start(
  machine: Machine,
  args: readonly string[],
  shell: readonly string[] = ['sh'],
  env: Readonly<Record<string, string>> = {},
) {
  const [program = 'sh', ...words] = shell
  const child = spawn(program, [...words, SCRIPT, ...args], {
    cwd: machine.workFolder,
    env: { ...machine.env, ...env },
    detached: true,
  })
  machine.recorders.add(child)
  child.on('exit', () => machine.recorders.delete(child))
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', text => {
    stdout += text
  })
  child.stderr.on('data', text => {
    stderr += text
  })
  child.stdin.end()
  const finished = new Promise<Recorded>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', status => resolve({ status, stdout, stderr }))
  })
  return { child, finished, heard: () => stderr }
}
