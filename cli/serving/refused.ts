import type { ServedProblem } from '../../web/engine/protocol'

/** A request that is not answered: status, and what its answer says. */
export class Refused extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }

  get problem(): ServedProblem {
    return { error: { code: this.code, message: this.message } }
  }
}
