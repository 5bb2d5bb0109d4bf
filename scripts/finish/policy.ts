/** The Content-Security-Policy of each built page. Everything not listed is forbidden (`default-src 'none'`). */
import { createHash } from 'node:crypto'

/** The source expression for an inline script or style. */
const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const formatPolicy = (rules: Readonly<Record<string, string>>): string =>
  Object.entries({ 'default-src': "'none'", ...rules, 'base-uri': "'none'", 'form-action': "'none'" })
    .map(([name, sources]) => `${name} ${sources}`)
    .join('; ')

/** Workers are started from blobs, because these inherit the policy. A worker with a URL would have none. */
const ENGINE = "'wasm-unsafe-eval'"

/** The hosted page contacts only its own host. */
export const HOSTED = formatPolicy({
  'script-src': `'self' ${ENGINE}`,
  'worker-src': "'self' blob:",
  'style-src': "'self'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'frame-src': "'self'",
  'manifest-src': "'self'",
})

/** A document has its stylesheet and one inline script. */
export const documentPolicy = (script: string): string =>
  formatPolicy({ 'script-src': hashSource(script), 'style-src': "'self'", 'img-src': "'self'" })

/** The single-file app contacts no host, not even its own. The documents that it opens inherit its policy. */
export const oneFilePolicy = (scripts: readonly string[], styles: readonly string[]): string =>
  formatPolicy({
    'script-src': `${scripts.map(hashSource).join(' ')} ${ENGINE}`,
    'worker-src': 'blob:',
    'style-src': styles.map(hashSource).join(' '),
    'img-src': 'data: blob:',
  })

export const metaTag = (content: string): string => `<meta http-equiv="Content-Security-Policy" content="${content}">`
