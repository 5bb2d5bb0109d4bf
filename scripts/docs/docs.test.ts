import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../web/app/commands'
import { FINDING_CODES, RUN_FINDING_CODES } from '../../web/engine/protocol'
import { DEFINED, FINDINGS, MEASURED, MEASURES, USER_GUIDE } from '../../web/lib/docs'
import { pageName, render } from './render.ts'
import { DOCS, renderSite } from './site.ts'

const ROOT = join(DOCS, '..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

describe('the documents as pages', () => {
  const files = renderSite()
  const pages = new Map(
    [...files].flatMap(([name, content]) => (typeof content === 'string' ? [[name, content] as const] : [])),
  )
  it('exist under the names that the app links to', () => {
    expect([...pages.keys()].map(name => `docs/${name}`)).toEqual(
      expect.arrayContaining([USER_GUIDE, MEASURES, FINDINGS, 'docs/architecture.html', 'docs/index.html']),
    )
  })
  it('load nothing from other hosts', () => {
    for (const [name, content] of pages)
      expect([name, content.match(/(?:src|href|url)[=(]["']?(?:https?:)?\/\//g)]).toEqual([name, null])
  })
  it('are also on one page, where every link has a target', () => {
    const all = pages.get('all.html') ?? ''
    const ids = [...all.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const links = [...all.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(links.length).toBeGreaterThan(100)
    expect(links.filter(link => !ids.includes(link))).toEqual([])
    expect(ids).toEqual(expect.arrayContaining(['guide/charts.html', 'measures.html/figures', 'decisions/index.html']))
    expect(all).not.toMatch(/ (?:href|src)="(?!#|https?:)/)
    const articles = [...all.matchAll(/<article id="([^"]+)"/g)].map(([, name]) => name)
    // The chapters of the guide come right after its table of contents.
    expect(articles.slice(0, 3)).toEqual(['user-guide.html', 'guide/recording.html', 'guide/opening.html'])
    const rendered = [...pages.keys()].filter(name => name.endsWith('.html') && name !== 'all.html')
    expect(articles.toSorted()).toEqual(rendered.toSorted())
  })
  it('link stylesheet and app from any depth', () => {
    expect(pages.get('measures.html')).toContain('href="../docs/docs.css"')
    expect(pages.get('decisions/index.html')).toContain('href="../../docs/docs.css"')
    expect(pages.get('decisions/index.html')).toContain('href="../../index.html"')
  })
  it('mark their place in the navigation', () => {
    expect(pages.get('measures.html')).toContain('<a href="measures.html" aria-current="page">')
    expect(pages.get('guide/charts.html')).toContain('<a href="../user-guide.html" aria-current="true">')
    expect(pages.get('index.html')).not.toContain('aria-current')
  })
})

describe('pictures of the documents', () => {
  const files = renderSite()
  const shown = [...files].flatMap(([name, content]) =>
    typeof content === 'string'
      ? [...content.matchAll(/<img src="([^"]+)" alt="([^"]+)">/g)].map(([, src = '', words = '']) => ({
          name,
          src,
          words,
        }))
      : [],
  )
  it('are files next to them, in words for those who do not see them', () => {
    expect(shown.length).toBeGreaterThan(1)
    for (const { name, src, words } of shown) {
      const bytes = files.get(join(name, '..', src))
      expect([src, bytes instanceof Uint8Array && Buffer.from(bytes).toString('latin1', 1, 4)]).toEqual([src, 'PNG'])
      expect(words.length).toBeGreaterThan(30)
    }
  })
  it('are small, because the page stores all documents for use without a network', () => {
    const sizes = [...files.values()].map(content => (typeof content === 'string' ? 0 : content.length))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000)
  })
  it('are words in the single-file app', () => {
    const all = String(files.get('all.html'))
    expect(all).not.toContain('<img')
    for (const { words } of shown) expect(all).toContain(words)
  })
})

describe('anchors that charts link to', () => {
  const { ids } = render(read('docs/measures.md'))
  it.each(MEASURED)('%s is in measures.md', place => expect(ids).toContain(place))
  it.each(DEFINED)('%s, where a figure is defined, is in measures.md', place => expect(ids).toContain(place))
  it('are all used', () => {
    const folder = join(ROOT, 'web/charts')
    const charts = readdirSync(folder).filter(chart => chart !== 'shared' && existsSync(join(folder, chart, 'spec.ts')))
    const withSpec = (chart: string) => {
      const component = join(chart, 'Chart.tsx')
      return read(join(chart, 'spec.ts')) + (existsSync(join(ROOT, component)) ? read(component) : '')
    }
    const otherSources = [
      'web/compare/Differences.tsx',
      'web/compare/matrix/Matrix.tsx',
      'web/compare/results/Results.tsx',
      'web/app/dialogs/run/NativeTables.tsx',
    ]
    const code = [...charts.map(f => withSpec(join('web/charts', f))), ...otherSources.map(read)]
    for (const source of code) expect(source).toMatch(/measured(?:=|: '|At\()|Omit<PageSpec, 'measured'>/)
    for (const place of MEASURED) {
      const leads = new RegExp(
        `measured: '${place}'|measured=(?:"${place}"|\\{[^}]*'${place}'[^}]*\\})|measuredAt\\([^)]*'${place}'[^)]*\\)`,
      )
      expect(code.some(source => leads.test(source))).toBe(true)
    }
  })
})

describe('the user guide', () => {
  it('lists every code of the engine and the page', () => {
    const guide = read('docs/guide/problems.md')
    const tables = ['error/src/table.rs', 'formats/src/problem.rs', 'unpack/src/problem.rs', 'texts/src/problems.rs']
    const inRust = tables.flatMap(file => [...read(`parser-wasm/${file}`).matchAll(/"([a-z]+(?:-[a-z]+)+)"/g)])
    const sources = ['web', 'cli'].flatMap(folder =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter(file => /\.tsx?$/.test(file) && !/\.test\.|generated|testing/.test(file))
        .map(file => join(folder, file)),
    )
    const codeLiterals =
      /(?:\bcode(?:: | = )|(?:tableError|bisectionError|refused|problem|urlError|asEngineError)\(\s*(?:\w+,\s*)?)'([a-z]+(?:-[a-z]+)*)'/g
    const complaints = /\bcomplain\([\s\S]{0,90}?'([a-z]+(?:-[a-z]+)+)'/g
    const inTypeScript = sources.flatMap(file =>
      [codeLiterals, complaints].flatMap(call => [...read(file).matchAll(call)]),
    )
    const codesOf = (found: readonly RegExpMatchArray[]) => [...new Set(found.map(([, code = '']) => code))]
    expect(codesOf(inRust).length).toBeGreaterThan(40)
    expect(codesOf(inTypeScript).length).toBeGreaterThan(30)
    const missing = codesOf([...inRust, ...inTypeScript]).filter(code => !guide.includes(`| \`${code}\` |`))
    expect(missing).toEqual([])
  })
  it('lists every key of the page', () => {
    const guide = read('docs/guide/charts.md')
    const keys = COMMANDS.flatMap(command => command.shown ?? command.keys).filter(key =>
      /^[A-Z0-9+?-]$|^[A-Z][a-z]+$/.test(key),
    )
    for (const key of keys) expect(guide).toContain(`\`${key}\``)
  })
})

describe('links of the files next to the documents', () => {
  it.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'])('of %s have targets', file => {
    const broken = render(read(file)).links.filter(href => {
      const [path = '', id] = href.split('#')
      const target = join(ROOT, path || file)
      return !existsSync(target) || (id !== undefined && !render(readFileSync(target, 'utf8')).ids.has(id))
    })
    expect(broken).toEqual([])
  })
})

describe('files that documents name', () => {
  /** Folders that the paths of documents are relative to; those of rules of findings are relative to `compare`. */
  const BASES = ['', 'parser-wasm', 'parser-wasm/compare/src', 'parser-wasm/formats/src']
  const documents = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.md'))
  const namedFiles = (text: string) =>
    [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|tsx|rs|mjs|py|json))`/g)].map(([, file]) => file ?? '')
  // In a recipe, NAME stands for the new file.
  const exists = (file: string) => file.includes('NAME') || BASES.some(base => existsSync(join(ROOT, base, file)))
  it('exist', () => {
    const missing = documents.flatMap(document =>
      namedFiles(read(join('docs', document))).flatMap(file => (exists(file) ? [] : [`${document}: ${file}`])),
    )
    expect(missing).toEqual([])
    expect(exists('trace/src/no-such-file.rs')).toBe(false)
  })
  it('are tests for what security.md promises', () => {
    expect(namedFiles(read('docs/security.md')).length).toBeGreaterThan(20)
  })
})

describe('findings.md', () => {
  const document = read('docs/findings.md')
  const compare = 'parser-wasm/compare/src'
  const compared = readdirSync(join(ROOT, compare), { recursive: true, encoding: 'utf8' }).filter(
    f => f.endsWith('.rs') && !f.includes('tests'),
  )
  const files = [...compared, '../../measure/src/figures/bins.rs']
  // A source with string literals and doc comments that continue in the next line joined, as the compiler reads them.
  const source = (file: string) =>
    read(join(compare, file))
      .replaceAll(/\\\n\s*/g, '')
      .replaceAll(/(?<=\/\/\/ .*)\n *\/\/\/ /g, ' ')

  // That each section has the rule of the code is a test of `compare/src/threshold.rs`.
  it('has a section for every code, and no other', () => {
    const codes: readonly string[] = [...FINDING_CODES, ...RUN_FINDING_CODES]
    const sections = [...document.matchAll(/^## `([a-z-]+)`$/gm)].map(([, code]) => code)
    expect(sections.toSorted()).toEqual(codes.toSorted())
    expect(render(document).ids).toContain('how-noise-is-judged')
  })
  it('has exactly the thresholds of the code', () => {
    const constants = files.flatMap(file =>
      [
        ...source(file).matchAll(
          /\/\/\/ (.*)\n(?:pub(?:\([a-z]+\))? )?const ([A-Z0-9_]+): (?:f64|usize|u(?:32|64)) = ([\d_.]+);/g,
        ),
      ].map(
        ([, meaning, name, value]) =>
          `| \`${file.replace('../../', '')}\` | \`${name}\` | ${Number(value?.replaceAll('_', ''))} | ${meaning} |`,
      ),
    )
    const rows = document.split('## Thresholds')[1]?.match(/^\| `.*$/gm) ?? []
    // Constants that limit the length of a mail or link decide no finding.
    const thresholds = constants.filter(row => !row.includes('mail/') && !row.includes('`links/brief.rs`'))
    expect(thresholds.length).toBeGreaterThan(30)
    expect([...rows].sort()).toEqual(thresholds.toSorted())
  })
})

describe('rendering', () => {
  it('names pages after their files', () => {
    expect(['ARCHITECTURE.md', 'README.md', 'decisions/README.md'].map(pageName)).toEqual([
      'architecture.html',
      'index.html',
      'decisions/index.html',
    ])
  })
  it('gives headings an anchor and rewrites links', () => {
    const { html, ids, links } = render('# A\n\n## Zoom & `keys`\n\n[see](other/B.md#c)\n')
    expect([...ids]).toEqual(['a', 'zoom-keys'])
    expect(html).toContain('<a class="anchor" href="#zoom-keys" aria-label="Link to: Zoom &amp; keys">')
    expect(html).toContain('<a href="other/b.html#c">see</a>')
    expect(links).toEqual(['other/B.md#c'])
  })
  it('refuses duplicate anchors', () => {
    expect(() => render('# A\n\n## b\n\n## b\n')).toThrow('duplicate anchor #b')
  })
})
