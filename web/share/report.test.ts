// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { PLACE, reportFile } from './report'

const APP = `<!doctype html>
<html><head><title>Seekscope</title></head>
<body>
<div id="root"></div>
${PLACE}
<script type="text/plain" data-file="assets/x.wasm" data-type="application/wasm">AAAA</script>
<script type="text/plain" data-file="samples/one/a.gz" data-type="application/gzip">BBBB</script>
<script type="text/plain" data-file="samples/two/b.gz" data-type="application/gzip">CCCC</script>
<script type="module">run()</script>
</body></html>
`
const REPORT = { snapshot: 'aZ09-_', view: '#v=1&range=1-2', title: 'before against after', words: 'IOPS 100 and 50\n' }

const parsed = (html: string) => new DOMParser().parseFromString(html, 'text/html')

describe('a report', () => {
  it('is the app with snapshot, view, title and words, and without samples', () => {
    const page = parsed(reportFile(APP, REPORT))
    expect(page.getElementById('seekscope-snapshot')?.textContent).toBe('aZ09-_')
    expect(page.getElementById('seekscope-view')?.textContent).toBe('#v=1&range=1-2')
    expect(page.getElementById('seekscope-words')?.textContent).toBe('IOPS 100 and 50\n')
    expect(page.title).toBe('before against after – Seekscope')
    expect([...page.querySelectorAll('[data-file]')].map(e => e.getAttribute('data-file'))).toEqual(['assets/x.wasm'])
    expect(page.querySelector('script[type=module]')?.textContent).toBe('run()')
  })

  it('keeps what is said in it from becoming part of the page', () => {
    const hostile = '</script></pre></title><script>alert(1)</script><img src=x onerror=alert(1)>&amp;$&$1'
    const html = reportFile(APP, { ...REPORT, view: `#v=1&title=${hostile}`, title: hostile, words: hostile })
    const page = parsed(html)
    expect(page.querySelectorAll('script')).toHaveLength(4)
    expect(page.querySelectorAll('img')).toHaveLength(0)
    expect(page.title).toBe(`${hostile} – Seekscope`)
    expect(page.getElementById('seekscope-words')?.textContent).toBe(hostile)
    expect(decodeURIComponent(page.getElementById('seekscope-view')?.textContent ?? '')).toBe(`#v=1&title=${hostile}`)
  })

  it('is not made of another file, nor with a snapshot that is none', () => {
    expect(() => reportFile('<!doctype html><title>x</title>', REPORT)).toThrow('not the single-file app')
    expect(() => reportFile(reportFile(APP, REPORT), REPORT)).toThrow('not the single-file app')
    for (const snapshot of ['', 'a b', '</script>'])
      expect(() => reportFile(APP, { ...REPORT, snapshot })).toThrow('base64url')
  })
})
