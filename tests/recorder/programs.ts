/** Stand-ins that a test puts before the programs of the machine. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './machine'

export function program(machine: Machine, name: string, text: string): void {
  const path = join(machine.workFolder, 'bin', name)
  writeFileSync(path, `#!/bin/sh\n${text}\n`)
  chmodSync(path, 0o755)
}

/** The real program of a name, for stand-ins that call it. */
export const REAL = (name: string) =>
  `PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin exec ${name} "$@"`

/** perf that runs its command, as the real one does, and then has one event. */
export const PERF = `case $1 in
  record) while [ "$1" != -- ]; do shift; done; shift; "$@" ;;
  script) echo '              dd    77 [001]   101.000100: block:block_rq_issue: 254,0 W 4096 () 2048 + 8 [dd]' ;;
esac`
