/** A script that has got into the page, and the host that it wants to tell something. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'

/** A host that answers every page. `heard`: paths of the requests it received. */
export async function willingHost() {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('x')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise<void>(resolve => server.close(() => resolve()))
  return { heard, host: `http://127.0.0.1:${(server.address() as AddressInfo).port}/run.tar`, close }
}

/** The expected outcome of every attempt. A beacon reports none; the host must not hear it. */
export const REFUSED = { page: 'refused', worker: 'refused', image: 'refused', script: 'refused', inline: 'refused' }

/** Tries them in the page, in a worker like the engine's, and by elements. */
export const attemptRequests = (page: Page, url: string): Promise<unknown> =>
  page.evaluate(async url => {
    const answers = (asking: Promise<unknown>) =>
      asking.then(
        () => 'answered',
        () => 'refused',
      )
    const loads = (element: HTMLElement) =>
      answers(
        new Promise((loaded, failed) =>
          document.body.append(Object.assign(element, { onload: loaded, onerror: failed })),
        ),
      )
    const source = 'fetch(name).then(() => postMessage("answered"), () => postMessage("refused"))'
    const worker = new Worker(URL.createObjectURL(new Blob([source])), { name: url })
    const inWorker = new Promise(tell => {
      worker.onmessage = ({ data }) => tell(data)
    })
    navigator.sendBeacon(url, 'x')
    const inline = document.createElement('script')
    inline.textContent = 'window.ran = true'
    document.body.append(inline)
    return {
      page: await answers(fetch(url)),
      worker: await inWorker,
      image: await loads(Object.assign(new Image(), { src: url })),
      script: await loads(Object.assign(document.createElement('script'), { src: url })),
      inline: 'ran' in window ? 'answered' : 'refused',
    }
  }, url)
