/**
 * Licences of what is shipped: the allow-list, the choice where a package offers several, and the notices as text and
 * as a document.
 */
import type { ShippedPackage } from '../lib/crates.mjs'

/**
 * Licences whose conditions the notices fulfil. Where a package offers a choice, the first of this list is taken:
 * those that need least come first. A licence that is not listed stops the build.
 */
const ALLOWED = [
  '0BSD',
  'MIT-0',
  'CC0-1.0',
  'Unlicense',
  'BSL-1.0',
  'Zlib',
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'bzip2-1.0.6',
  'Unicode-3.0',
  'Apache-2.0',
]

/** How files of several licences in one package are named. */
const FILE_OF: Readonly<Record<string, RegExp>> = {
  MIT: /mit/i,
  'Apache-2.0': /apache|notice/i,
  'BSL-1.0': /boost|bsl/i,
  'Unicode-3.0': /unicode/i,
  Unlicense: /unlicense/i,
}

/**
 * The licences under which an SPDX expression is used: all of an AND, the preferred of an OR.
 * Throws on a licence that is not allowed, and on anything but AND, OR and brackets.
 */
export function chooseLicenses(expression: string): readonly string[] {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  let position = 0
  const rank = (ids: readonly string[]) =>
    Math.max(...ids.map(id => (ALLOWED.includes(id) ? ALLOWED.indexOf(id) : Number.POSITIVE_INFINITY)))
  const primary = (): readonly string[] => {
    const token = tokens[position++]
    if (token === '(') {
      const inner = alternatives()
      if (tokens[position++] !== ')') throw new Error(`unbalanced brackets in the licence "${expression}"`)
      return inner
    }
    if (token === undefined || /^(\)|AND|OR|WITH)$/.test(token))
      throw new Error(`cannot read the licence "${expression}"`)
    return [token]
  }
  const conjunction = (): readonly string[] => {
    let ids = primary()
    while (tokens[position] === 'AND') {
      position++
      ids = [...ids, ...primary()]
    }
    return ids
  }
  function alternatives(): readonly string[] {
    let best = conjunction()
    while (tokens[position] === 'OR') {
      position++
      const next = conjunction()
      if (rank(next) < rank(best)) best = next
    }
    return best
  }
  const ids = alternatives()
  if (position !== tokens.length) throw new Error(`cannot read the licence "${expression}"`)
  const unknown = ids.find(id => !ALLOWED.includes(id))
  if (unknown !== undefined) throw new Error(`the licence ${unknown} is not on the list of allowed licences`)
  return [...new Set(ids)]
}

interface Notice {
  readonly name: string
  readonly version: string
  /** The licence expression that the package declares. */
  readonly license: string
  readonly repository: string
  readonly texts: readonly string[]
}

const tidy = (text: string): string =>
  text
    .replaceAll('\r', '')
    .replaceAll(/[ \t]+$/gm, '')
    .replaceAll(/^\n+|\n+$/g, '')

function noticeOf({ name, version, license, repository, files }: ShippedPackage): Notice {
  try {
    const ids = chooseLicenses(license)
    const namedFiles = files.filter(file => ids.some(id => FILE_OF[id]?.test(file.name)))
    const used = namedFiles.length >= ids.length ? namedFiles : files
    if (used.length === 0) throw new Error('it has no licence file')
    return { name, version, license, repository: repository ?? '', texts: used.map(file => tidy(file.text)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const remedy = 'Replace the package, or extend scripts/finish/licenses.ts after reading its licence.'
    throw new Error(`licences: ${name} ${version}: ${reason}. ${remedy}`)
  }
}

export interface LicenseText {
  readonly text: string
  readonly packages: readonly Notice[]
}

/** Each licence text once, with the packages that it covers. Throws on a package that cannot be shipped. */
export function licenseTexts(packages: readonly ShippedPackage[]): readonly LicenseText[] {
  const unique = new Map(packages.map(p => [`${p.name} ${p.version}`, p]))
  const notices = [...unique.values()]
    .map(noticeOf)
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
  const texts = new Map<string, Notice[]>()
  for (const notice of notices) for (const text of notice.texts) texts.set(text, [...(texts.get(text) ?? []), notice])
  return [...texts].map(([text, covered]) => ({ text, packages: covered }))
}

const INTRODUCTION = 'Seekscope contains the following third-party software. It is used under these licences.'

/** The notices as text, for `THIRD-PARTY-NOTICES.txt`. */
export function plainNotices(texts: readonly LicenseText[]): string {
  const rule = '-'.repeat(78)
  const parts = texts.map(({ text, packages }) => {
    const list = packages.map(p => [`${p.name} ${p.version} (${p.license})`, p.repository].filter(Boolean).join('\n  '))
    return `${rule}\n${list.join('\n')}\n${rule}\n\n${text}\n`
  })
  return `${INTRODUCTION}\n\n${parts.join('\n')}`
}

/** The notices in Markdown, for `licenses.html`. */
export function markdownNotices(texts: readonly LicenseText[]): string {
  const rows = texts.flatMap(({ packages }, i) => packages.map(p => ({ ...p, place: `#text-${i + 1}` })))
  const table = rows
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
    .map(p => `| ${p.name} | ${p.version} | [${p.license}](${p.place}) |`)
  // Four spaces make code of a text whatever is in it, fences included.
  const blocks = texts.map(({ text, packages }, i) => {
    const names = packages.map(p => p.name).join(', ')
    return `### Text ${i + 1}\n\n${names}\n\n${text.replaceAll(/^/gm, '    ')}\n`
  })
  return `# Third-party licences

${INTRODUCTION} The same as plain text is in \`THIRD-PARTY-NOTICES.txt\`.

## Packages

| package | version | licence |
|---|---|---|
${table.join('\n')}

## Licence texts

${blocks.join('\n')}`
}
