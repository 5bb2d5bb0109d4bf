/** Turns pasted text into a file, or recognizes it as URLs. */
import type { FoundFile } from './found'
import { urlsIn } from './url'

export const fromText = (text: string): FoundFile => ({
  name: 'pasted.txt',
  path: 'pasted.txt',
  blob: new Blob([text]),
  lastModified: 0,
})

/** Whether a text consists of URLs only. */
export function isAddresses(text: string): boolean {
  const lines = urlsIn(text)
  return lines.length > 0 && lines.every(line => line instanceof URL)
}
