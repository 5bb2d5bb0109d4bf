/** Servers of tests, for files of other hosts and pages that embed the app. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a server on a free port of this machine; returns its origin, without a slash at the end. */
export const startServer = (server: Server): Promise<string> =>
  new Promise(resolve =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )

/** Stops a server with its open connections: a kept-alive one would delay the end of the tests. */
export function stopServer(server: Server): void {
  server.closeAllConnections()
  server.close()
}
