import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * Phrases that users had to read twice, with what replaces them. They were removed once; this keeps them out of
 * texts, comments and names. See `docs/glossary.md` for the words to use.
 */
const REPLACED: readonly (readonly [phrase: RegExp, better: string])[] = [
  [
    /\b(?:file|line|request|event|worker|run|chart|bio|CPU|row|page|folder|story|address|curve|column|bar|figure|trace|device) a (?:CPU|request|worker|run|line|trace|file|event|bio|chart|page|cell|device|process|second|story|stop|contender|question|target)\b(?!-)/i,
    'per: one file per CPU',
  ],
  [/\bnames of processes\b/i, 'process names, file names'],
  [/\bnobody asks\b/i, 'idle (no requests)'],
  // As a field of `summary --json`, `spoiled` is allowed.
  [/\bspoils?\b|\bSpoiled:|\bspoiled (?:by|figures)/, 'unreliable'],
  [/\breckon(?:ed|s|ing)?\b/i, 'estimated'],
  [/\babroad\b/i, 'another host'],
  [/\bpoints of percent\b/i, 'percentage points'],
  [/\bnot to be trusted\b/i, 'unreliable'],
  [/\bwould rather not\b/i, 'Declined by the user.'],
  [/\basks nobody\b/i, 'no other host is contacted'],
  [/\bno server holds\b/i, 'nothing is stored on a server'],
  [/\bread where they lie\b/i, 'read locally'],
  [/\bfind each other\b/i, 'grouped automatically'],
  [/\bone by one \/ over each other\b/i, 'side by side / overlaid'],
  [/\bnew(?:er)? version is there\b/i, 'A new version is available.'],
  [/\bless the baseline\b/i, 'minus baseline'],
  [/\bby parts of the labels\b/i, 'across label dimensions'],
  [/\bis (?:not )?whole\b/i, 'complete, incomplete'],
  [/\bsays blktrace\b/i, 'reported by blktrace'],
  [/\btimes of loss\b/i, 'loss intervals'],
  [/\bwithout a match\b/i, 'unmatched'],
  [/\bGo on with\b/, 'continue with'],
  [/\bno part of a trace\b/i, "doesn't belong to a trace"],
  [/\b(?:lay|lies|lie) beside\b/i, 'is next to'],
  [/\bthis is no (?:address|text)\b/i, 'Not a valid URL.'],
  [/\bloaded anew\b/i, 'reloaded'],
  [/\bput it there\b|\btake it out\b|\bleave as it is\b/i, 'Add to group, Remove from group, Cancel'],
  [/\bfrom 1 on\b/, '1 or more'],
  [/\bnot read to the end\b/i, 'incomplete'],
  [/\bbrowser refused to copy\b/i, 'Clipboard blocked.'],
  [/\bcopy for mail\b/i, 'Copy as plain text'],
  [/\b%-signs\b/i, 'percent-encoding'],
  [/\bfollow another process\b/i, 'switch process'],
  [/\bno rule tells\b/i, 'No rule explains it.'],
  [/\bwhat it means, and what not\b/i, "What this does and doesn't mean"],
  [/\bfinding before\b/i, 'Previous finding'],
  [/\btakes \d+ m?s more\b/i, 'runs 3 s longer'],
  [/\bnoise (?:is )?(?:not known|unknown)\b/i, 'unsure: more runs would tell'],
  [/\bdraw it again\b/i, 'Retry'],
  [/\bfault of the page\b/i, 'a bug in Seekscope'],
  [/\bback to the range before\b/i, 'previous range'],
  [/\blooked through\b/i, 'searched'],
  [/\bdata lay elsewhere\b/i, 'The accessed data moved'],
  [/\+0 ns\b/, '0'],
  [/\bnotes of the tracer\b/i, 'tracer notifications'],
  [/\bthat (?:is|are) no (?:record|event)\b|\bare no (?:record|event)\b/i, 'invalid bytes; not an event'],
  [/\btext without a word\b/i, 'empty text'],
  [/\b(?:containers|archives) within each other\b/i, 'nested'],
  [/\bwants to know who asks\b/i, 'requires a login'],
  [/\bquestion has no answer\b|\bis no question\b/i, 'invalid query, unknown query'],
  [/\brepeats of one thing\b/i, 'repeated runs'],
  [/\bbrowser and nowhere else\b/i, 'entirely'],
  [/\brecords itself\b/i, 'includes its own writes'],
  [/\blast corner\b/i, 'recursively'],
  [/\bsilences its consequences\b/i, 'suppresses its effects'],
  [/\blives here\b|\bmay not:/i, 'Contains, Must not contain'],
  [/\b(?:cut|changed) on its way\b/i, 'truncated or altered'],
  [/\b(?:Eater|breath|createDesk)\b/, 'ByteSink, yieldToMessages, StableView'],
]

/** Text that is not ours to change: version-1 data, recordings, quoted tool output, this list. */
const EXCLUDED = [
  /^(?:node_modules|dist|dist-cli|target|\.git|\.cache|test-results|playwright-report|public\/samples)(?:\/|$)/,
  /\/(?:target|generated|node_modules)(?:\/|$)/,
  /^tests\/(?:fixtures|found|binaries|notes|stories|texts|runs|containers|bad-inputs)\//,
  /^parser-wasm\/snapshot\/src\/primer-/,
  /^package-lock\.json$/,
  /^(?:scripts\/words\.test\.ts|docs\/glossary\.md)$/,
]
const TEXT = /\.(?:md|tsx?|mjs|js|css|html|rs|json|webmanifest|yml)$/

const ROOT = fileURLToPath(new URL('..', import.meta.url))

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    const name = relative(ROOT, path).replaceAll('\\', '/')
    if (EXCLUDED.some(excluded => excluded.test(name))) continue
    if (entry.isDirectory()) yield* files(path)
    else if (TEXT.test(name)) yield name
  }
}

test('texts, comments and names use none of the replaced phrases', () => {
  const found: string[] = []
  for (const file of files(ROOT)) {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n')
    lines.forEach((line, i) => {
      for (const [phrase, better] of REPLACED) {
        const hit = phrase.exec(line)
        if (hit) found.push(`${file}:${i + 1}: "${hit[0]}", better: ${better}`)
      }
    })
  }
  expect(found).toEqual([])
})
