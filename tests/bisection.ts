/**
 * A git repository whose commits change which of two recordings COMMAND delivers, for tests of `seekscope bisect` with
 * the real `git bisect run`.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Copies a recording. No two recordings are the same, so the number of copies goes into the last digits of its first
 * time. Without a recording it fails, as a kernel that does not boot.
 */
const DELIVER = `import { appendFileSync, cpSync, readFileSync, statSync, writeFileSync } from 'node:fs'
const [source, target] = process.argv.slice(2)
if (source === '') process.exit(3)
const count = import.meta.filename + '.count'
appendFileSync(count, '.')
cpSync(source, target, { recursive: true })
const file = target + '/trace.blktrace.0'
const bytes = readFileSync(file)
bytes[8] = statSync(count).size
writeFileSync(file, bytes)
`

/** Writes a program that copies a recording; its words are those of COMMAND before the source. */
export function writeDeliver(folder: string): readonly string[] {
  const deliver = join(folder, 'deliver.mjs')
  writeFileSync(deliver, DELIVER)
  return [process.execPath, deliver]
}

export interface Repository {
  readonly folder: string
  /** Runs git in it; returns its output. Throws if git fails. */
  git(...args: readonly string[]): string
  /** COMMAND, as `seekscope bisect` takes it: it delivers what is checked out. */
  readonly command: readonly string[]
}

/** Makes a repository in `scratch`, with a commit per recording; an empty path stands for one that does not boot. */
export function createRepository(scratch: string, recordings: readonly string[]): Repository {
  const folder = join(scratch, 'repository')
  const identity = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' }
  const env = {
    PATH: process.env.PATH,
    HOME: scratch,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.com',
    ...identity,
  }
  const git = (...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', env })
    if (status !== 0) throw new Error(`git ${args.join(' ')}\n${stdout}\n${stderr}`)
    return stdout.trim()
  }
  const [node, deliver] = writeDeliver(scratch)
  mkdirSync(folder)
  git('init', '--quiet', '--initial-branch', 'main')
  for (const [number, recording] of recordings.entries()) {
    writeFileSync(join(folder, 'recording'), `${recording}\n`)
    writeFileSync(join(folder, 'number'), String(number))
    git('add', '.')
    git('commit', '--quiet', '--message', `Commit ${number}`)
  }
  const script = `exec '${node}' '${deliver}' "$(cat recording)" "$SEEKSCOPE_RECORDING"`
  return { folder, git, command: ['sh', '-c', script] }
}
