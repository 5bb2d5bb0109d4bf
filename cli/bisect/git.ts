/** What git knows of a bisection. Outside of a repository, or without git, the answers are absent. */
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'

/** A history of many commits is a long answer. */
const MAX_BYTES = 256 << 20

function git(...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: MAX_BYTES })
  return status === 0 ? stdout.trim() : undefined
}

/** A path within the repository's own directory. */
export const gitPath = (name: string): string | undefined => git('rev-parse', '--git-path', name)

/** The commit that is tested: with `git bisect start --no-checkout` it is not checked out. */
export const testedCommit = (): string | undefined =>
  git('rev-parse', '--verify', '--quiet', 'BISECT_HEAD^{commit}') ??
  git('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')

export const subjectOf = (commit: string): string | undefined => git('log', '-1', '--format=%s', commit)

/** The commits between which the first bad one is. */
export interface BisectBounds {
  readonly bad?: string
  readonly good: readonly string[]
}

export function bisectBounds(): BisectBounds {
  const lines = git('for-each-ref', '--format=%(objectname) %(refname)', 'refs/bisect')?.split('\n') ?? []
  const refs = lines.map(line => line.split(' '))
  const bad = refs.find(([, name]) => name === 'refs/bisect/bad')?.[0]
  const good = refs.flatMap(([commit = '', name = '']) => (name.startsWith('refs/bisect/good-') ? [commit] : []))
  return { ...(bad !== undefined && { bad }), good }
}

/** When the present bisection was started; absent outside of one. */
export function bisectStart(): string | undefined {
  const path = gitPath('BISECT_START')
  return path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.mtime.toISOString()
}

/** Commits that come after all of `good` and up to `bad`, the oldest first; absent if git cannot tell. */
export const commitsBetween = (good: readonly string[], bad: string): readonly string[] | undefined =>
  git('rev-list', '--topo-order', '--reverse', bad, ...good.map(commit => `^${commit}`))
    ?.split('\n')
    .filter(Boolean)

/** Whether the history of `commit` has `ancestor`; a commit has itself. */
export const hasAncestor = (commit: string, ancestor: string): boolean =>
  git('merge-base', '--is-ancestor', ancestor, commit) !== undefined

/** These commits in the order of the history, the oldest first; those that git does not know come last. */
export function inOrder(commits: readonly string[]): readonly string[] {
  const base = git('merge-base', '--octopus', ...commits)
  const history =
    base === undefined
      ? undefined
      : git('rev-list', '--topo-order', '--reverse', ...commits, `^${base}`)
          ?.split('\n')
          .filter(Boolean)
  if (base === undefined || history === undefined) return commits
  const places = new Map([base, ...history].map((commit, i) => [commit, i]))
  const place = (commit: string): number => places.get(commit) ?? history.length + 1
  return [...commits].sort((a, b) => place(a) - place(b))
}
