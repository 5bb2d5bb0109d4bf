/** The browser's own dialogs for files and folders. */
import { comparePaths, type FoundFile, fromFile } from './found'

/** Files ordered by path; none when the dialog was closed without a choice. */
export function pick(kind: 'files' | 'folder'): Promise<FoundFile[]> {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.webkitdirectory = kind === 'folder'
  return new Promise(resolve => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])].map(f => fromFile(f)).sort(comparePaths)))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}
