/** Handing text and files to the reader. */

/** False when the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Of words, as every file system takes it. */
export const fileName = (...words: readonly string[]): string =>
  words
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}.+]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
