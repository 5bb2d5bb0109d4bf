/** Which of the files are documents: they open as pages of their own. */
import type { FoundFile } from '../../ingest/found'
import { DOCUMENT_HEAD_BYTES, isDocument } from '../../lib/documentKind'

/** More files are only looked into if their names say that they are documents. */
const FEW_FILES = 8

/** The documents among files, by their first bytes. */
export async function documentsAmong(files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const is = async ({ name, blob }: FoundFile) => {
    if (files.length > FEW_FILES && !/\.(parquet|jsonl?)$/i.test(name)) return false
    try {
      return isDocument(await blob.slice(0, DOCUMENT_HEAD_BYTES).text())
    } catch {
      // A read error is reported when the file is opened.
      return false
    }
  }
  const found = await Promise.all(files.map(is))
  return files.filter((_, i) => found[i])
}
