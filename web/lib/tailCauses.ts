/** What the time of slow requests went to, in the order of a request's life. */
export const TAIL_CAUSES = [
  'allocation',
  'plugged',
  'unplug-timer',
  'other-process',
  'held',
  'queued',
  'writes',
  'flush',
  'ahead',
  'overtaken',
  'after-idle',
  'device',
  'unknown',
] as const
