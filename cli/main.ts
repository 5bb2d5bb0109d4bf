/** The engine on the command line. */

import { execute } from './execute'

// A reader that closes the pipe early (head, less) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

await execute(process.argv.slice(2))
