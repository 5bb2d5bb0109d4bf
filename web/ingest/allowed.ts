/** Hosts that the user allowed until the tab is closed. */
const KEY = 'seekscope-allowed-hosts'

/** The allowed origins; empty if the browser denies access to its storage. */
function stored(): readonly string[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.filter(item => typeof item === 'string') : []
  } catch {
    return []
  }
}

/** Whether the user allowed an origin, with protocol and port: `https://example.org`. */
export const isAllowed = (origin: string): boolean => stored().includes(origin)

export function allow(origins: readonly string[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...new Set([...stored(), ...origins])]))
  } catch {
    // Without storage the user is asked each time.
  }
}
