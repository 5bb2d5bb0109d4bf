/** Reads what a recorder wrote, and finds what it left behind. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Machine, SECRETS } from './machine'

/** Files of an archive by name, as `LABEL/settings.txt`. */
export function unpack(machine: Machine, archive: string): ReadonlyMap<string, Buffer> {
  const folder = mkdtempSync(join(machine.workFolder, 'unpacked-'))
  execFileSync('tar', ['-xzf', join(machine.workFolder, archive), '-C', folder])
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    statSync(join(folder, name)).isFile(),
  )
  return new Map(names.map(name => [name, readFileSync(join(folder, name))]))
}

/** The names of the machine that are in files or in their names, by kind and file. */
export function secretsIn(files: ReadonlyMap<string, Buffer>): readonly string[] {
  return [...files].flatMap(([file, bytes]) =>
    Object.entries(SECRETS)
      .filter(([kind, secret]) =>
        // The short name is a word of its own; within others it is none.
        kind === 'shortHost'
          ? new RegExp(`\\b${secret}\\b`).test(bytes.toString('latin1'))
          : bytes.includes(secret) || file.includes(secret),
      )
      .map(([kind]) => `${kind} in ${file}`),
  )
}

/** Archives in the folder where the recorder was started. */
export const archivesOf = (machine: Machine): readonly string[] =>
  readdirSync(machine.workFolder)
    .filter(name => name.endsWith('.tar.gz'))
    .sort()

/** What the recorder may leave behind in the folders where it works. */
export const leftIn = (machine: Machine): readonly string[] =>
  ['dev/shm', 'tmp', 'run', 'var/tmp'].flatMap(folder =>
    readdirSync(join(machine.root, folder)).map(name => `${folder}/${name}`),
  )

/** Processes for which one of these files of /proc names the machine. */
function processesNaming(machine: Machine, files: readonly string[]): readonly string[] {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
  return pids.flatMap(pid => {
    try {
      const [line = '', ...more] = files.map(file => readFileSync(`/proc/${pid}/${file}`, 'utf8'))
      return [line, ...more].join('').includes(machine.workFolder) ? [`${pid} ${line}`.replaceAll('\0', ' ')] : []
    } catch {
      return []
    }
  })
}

/** Processes that name the machine in their arguments. */
export const processesOf = (machine: Machine): readonly string[] => processesNaming(machine, ['cmdline'])

/** The same, and those that have it in their environment only: awk, and what its programs start. */
export const descendantsOf = (machine: Machine): readonly string[] => processesNaming(machine, ['cmdline', 'environ'])
