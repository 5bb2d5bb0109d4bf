/**
 * CSS belongs to components: each class has one owning file, and the rules of a file apply only inside elements that it
 * owns.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** Elements and the utility classes that all components may use. */
const BASE = 'app/base.css'
/**
 * Files without an owner. Print hides and unfolds parts of the complete page, so its rules name classes of many
 * components.
 */
const EXEMPT = ['app/tokens.css', 'app/print.css']

const read = (file: string) => readFileSync(join(import.meta.dirname, file), 'utf8')
const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
const sheets = files.filter(file => file.endsWith('.css') && !EXEMPT.includes(file))
const sources = files.filter(file => /\.tsx?$/.test(file) && !/\.test\.|\.d\.ts$/.test(file))

/** End of the bracket that opens at `start`. */
function closing(text: string, start: number): number {
  let depth = 0
  for (let i = start; i < text.length; i++) {
    if ('([{'.includes(text[i] as string)) depth++
    else if (')]}'.includes(text[i] as string) && --depth === 0) return i
  }
  return text.length
}

/** Parts of a selector between separators outside of brackets. */
function split(selector: string, separator: RegExp): string[] {
  const parts = ['']
  for (let i = 0; i < selector.length; i++) {
    const end = '(['.includes(selector[i] as string) ? closing(selector, i) : i
    if (end === i && separator.test(selector[i] as string)) parts.push('')
    else parts[parts.length - 1] += selector.slice(i, end + 1)
    i = end
  }
  return parts.map(part => part.trim()).filter(part => part !== '')
}

/** Selectors of a style sheet, also those in `@media`. */
function selectorsOf(css: string): string[] {
  const text = css.replace(/\/\*.*?\*\//gs, '')
  const found: string[] = []
  for (let position = 0; ; ) {
    const open = text.indexOf('{', position)
    if (open === -1) return found
    const end = closing(text, open)
    const prelude = text.slice(position, open).split(';').at(-1)?.trim() ?? ''
    if (/^@(media|supports|container|layer)/.test(prelude)) found.push(...selectorsOf(text.slice(open + 1, end)))
    else if (!prelude.startsWith('@')) found.push(...split(prelude, /,/))
    position = end + 1
  }
}

/** Classes in a piece of a selector; an element that must not have a class needs no owner of it. */
function classesIn(selector: string): string[] {
  let text = selector
  for (let position = text.indexOf(':not('); position !== -1; position = text.indexOf(':not('))
    text = text.slice(0, position) + text.slice(closing(text, position + 4) + 1)
  return Array.from(text.matchAll(/\.([A-Za-z_][\w-]*)/g), match => match[1] as string)
}

const rules = sheets.flatMap(file =>
  selectorsOf(read(file)).map(selector => {
    const [first = '', ...rest] = split(selector, /[\s>+~]/)
    return { file, selector, first: classesIn(first), rest: classesIn(rest.join(' ')) }
  }),
)

/** A file owns the classes that start its selectors, and those that no file starts a selector with. */
const claims = new Map<string, Set<string>>()
const claim = (name: string, file: string) => claims.set(name, (claims.get(name) ?? new Set()).add(file))
for (const { file, first } of rules) for (const name of first) claim(name, file)
const leading = new Set(claims.keys())
for (const { file, rest } of rules) for (const name of rest) if (!leading.has(name)) claim(name, file)
const ownerOf = (name: string) => [...(claims.get(name) ?? [])][0] ?? ''

const within = (folder: string, parent: string) => folder === parent || folder.startsWith(`${parent}/`)

/** Class names of an expression: complete ones, and the starts of computed ones. Compared strings are no classes. */
function namesIn(expression: string): string[] {
  const text = expression.replace(/[!=]==?\s*(['"])[^'"]*\1/g, '')
  const names: string[] = []
  for (let i = 0; i < text.length; i++) {
    const quote = text[i] as string
    if (!`'"\``.includes(quote)) continue
    let words = ''
    for (i++; i < text.length && text[i] !== quote; i++) {
      if (quote === '`' && text.startsWith('${', i)) {
        const end = closing(text, i + 1)
        names.push(...namesIn(text.slice(i + 2, end)))
        words += '*'
        i = end
      } else words += text[i]
    }
    names.push(...words.split(/\s+/).filter(word => word !== '' && word !== '*'))
  }
  return names
}

/** Class names that a source file gives to elements. */
function usedIn(source: string): string[] {
  return Array.from(source.matchAll(/className\s*[=:]\s*(?=["'`{])|classList\.\w+(?=\()/g)).flatMap(match => {
    const start = match.index + match[0].length
    const open = source[start] as string
    if ('{('.includes(open)) return namesIn(source.slice(start + 1, closing(source, start)))
    return namesIn(source.slice(start, source.indexOf(open, start + 1) + 1))
  })
}

const uses = sources.flatMap(file => {
  const source = read(file)
  const imported = Array.from(source.matchAll(/import '(\.[^']*\.css)'/g), match =>
    join(dirname(file), match[1] as string),
  )
  return [...new Set(usedIn(source))].map(name => ({ file, name, imported }))
})
const meant = (use: string): string[] =>
  use.endsWith('*') ? [...claims.keys()].filter(name => name.startsWith(use.slice(0, -1))) : [use]

test('each class belongs to one CSS file', () => {
  expect(rules.length).toBeGreaterThan(300)
  const shared = [...claims]
    .filter(([, owners]) => owners.size > 1)
    .map(([name, owners]) => `.${name}: ${[...owners].join(', ')}`)
  expect(shared).toEqual([])
})

test('the rules of a CSS file apply only inside its own elements', () => {
  const loose = rules.filter(rule => rule.file !== BASE && rule.first.length === 0)
  expect(loose.map(rule => `${rule.file}: ${rule.selector}`)).toEqual([])
})

test('a selector names classes of its own file, of folders above or below, or of the base', () => {
  const foreign = rules.filter(({ file, rest }) =>
    rest.some(name => {
      const [folder, other] = [dirname(file), dirname(ownerOf(name))]
      return ownerOf(name) !== BASE && !within(folder, other) && !within(other, folder)
    }),
  )
  expect(foreign.map(rule => `${rule.file}: ${rule.selector}`)).toEqual([])
})

test('a component uses classes of its folder, of folders above, of CSS files that it imports, or of the base', () => {
  const foreign = uses.flatMap(({ file, name, imported }) =>
    meant(name)
      .filter(className => claims.has(className) && ownerOf(className) !== BASE)
      .filter(
        className => !within(dirname(file), dirname(ownerOf(className))) && !imported.includes(ownerOf(className)),
      )
      .map(className => `${file}: ${className} of ${ownerOf(className)}`),
  )
  expect(foreign).toEqual([])
})

test('each class in markup has a style, and each style is used', () => {
  const used = new Set(uses.flatMap(use => meant(use.name)))
  expect(
    uses.filter(use => meant(use.name).every(name => !claims.has(name))).map(use => `${use.file}: ${use.name}`),
  ).toEqual([])
  expect([...claims.keys()].filter(name => !used.has(name)).map(name => `${ownerOf(name)}: .${name}`)).toEqual([])
})
