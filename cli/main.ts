/** The engine on the command line. */

try {
  // All others are loaded from here: what the system refuses then can be said in a line.
  await import('./start')
} catch (error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'EMFILE' && code !== 'ENFILE') throw error
  process.stderr.write('seekscope: too many open files: raise the limit (ulimit -n 256)\n')
  process.exitCode = 1
}
