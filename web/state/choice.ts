/** Choices of the reader, kept in this browser where that is allowed: no link has them. */

export function storedChoice(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined // storage is blocked, or there is none
  }
}

export function storeChoice(key: string, choice: string): void {
  try {
    localStorage.setItem(key, choice)
  } catch {
    return // storage is blocked: the choice lasts until the page is closed
  }
}
