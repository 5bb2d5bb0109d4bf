/** The system call or io_uring operation of a request in words. Pure. */
import type { LifeCall } from '../../engine/protocol'
import { duration } from '../../lib/format'

/** `write(), fd 3, returned after 1.74 ms`: a call returns, an operation of io_uring completes. */
export function callText({ name, fd, begin, end }: LifeCall): string {
  const verb = name.startsWith('io_uring ') ? 'completed' : 'returned'
  return [
    name,
    ...(fd === undefined ? [] : [`fd ${fd}`]),
    ...(end === undefined ? [] : [`${verb} after ${duration(end - begin)}`]),
  ].join(', ')
}
