/**
 * Vite plugin: renders `docs/*.md` to `docs/*.html` next to the page, once per build, and on each request in `npm run
 * dev`.
 */
import { extname } from 'node:path'
import type { Plugin } from 'vite'
import { MEDIA_TYPES } from '../../cli/mediaTypes.mjs'
import { renderSite } from './site.ts'

const PATH = /^\/docs\/([^?#]*)/

export const docs = (): Plugin => ({
  name: 'seekscope-docs',
  generateBundle() {
    for (const [name, source] of renderSite()) this.emitFile({ type: 'asset', fileName: `docs/${name}`, source })
  },
  configureServer(server) {
    server.middlewares.use((request, response, next) => {
      const name = PATH.exec(request.url ?? '')?.[1]
      const content =
        name === undefined
          ? undefined
          : renderSite().get(name === '' || name.endsWith('/') ? `${name}index.html` : name)
      if (name === undefined || content === undefined) return next()
      response.setHeader('content-type', MEDIA_TYPES[extname(name)] ?? 'text/html; charset=utf-8')
      response.end(content)
    })
  },
})
