/**
 * Asks the table of files and structures for the row of an object: the table listens, whoever shows the object asks.
 */

const asked = new EventTarget()
const NAME = 'row'

export function showInTable(name: string): void {
  asked.dispatchEvent(new CustomEvent(NAME, { detail: name }))
}

/** Calls `show` with the name of each object that is asked for; returns how to end that. */
export function onShownInTable(show: (name: string) => void): () => void {
  const listen = (event: Event) => {
    if (event instanceof CustomEvent && typeof event.detail === 'string') show(event.detail)
  }
  asked.addEventListener(NAME, listen)
  return () => asked.removeEventListener(NAME, listen)
}
