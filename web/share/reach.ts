/**
 * From where a link to this page opens: a page on the reader's own machine or in a private network cannot be reached
 * from elsewhere.
 */

/** Loopback, link-local and private addresses, and names that only a local network has. */
const PRIVATE = [
  /^0\.0\.0\.0$/,
  /^10\./,
  /^169\.254\./,
  /^172\.(1[6-9]|2\d|3[01])\./,
  /^192\.168\./,
  /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^\[f[cd][0-9a-f]{2}:/i,
  /^\[fe[89ab][0-9a-f]:/i,
  /\.(local|lan|internal|intranet|home|corp|home\.arpa)$/i,
]

const LOOPBACK = [/^localhost$/i, /\.localhost$/i, /^127\./, /^\[::1\]$/, /^\[::ffff:7f/i]

/** `machine`: only on this machine; `network`: only where this host is known; `anywhere`. */
export function reachOf({
  protocol,
  hostname,
}: Pick<Location, 'protocol' | 'hostname'>): 'machine' | 'network' | 'anywhere' {
  if (protocol !== 'http:' && protocol !== 'https:') return 'machine'
  if (LOOPBACK.some(host => host.test(hostname))) return 'machine'
  const isName = !hostname.includes('.') && !hostname.startsWith('[')
  return isName || PRIVATE.some(host => host.test(hostname)) ? 'network' : 'anywhere'
}

/** Where a link opens, as the beginning of a sentence. */
export function opensWhere(pageLocation: Pick<Location, 'protocol' | 'hostname'>): string {
  const reach = reachOf(pageLocation)
  if (reach === 'anywhere') return 'Opens anywhere'
  if (reach === 'network') return `Opens where ${pageLocation.hostname} can be reached`
  const place = pageLocation.protocol === 'file:' ? 'this file' : pageLocation.hostname
  return `Opens on this machine only, because the page is ${place}: send the report file, or host the page`
}
