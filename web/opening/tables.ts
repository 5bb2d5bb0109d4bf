/** Which of the files are tables: they open as a fleet. */
import type { FoundFile } from '../ingest/found'

/** More files are only looked into if their names say that they are tables. */
const FEW_FILES = 8

/** Tables of digests, and all that is Parquet, by their first bytes. */
export async function tablesAmong(files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const is = async ({ name, blob }: FoundFile) => {
    if (files.length > FEW_FILES && !/\.(parquet|jsonl)$/i.test(name)) return false
    try {
      return /^(PAR1|{"schema":)/.test(await blob.slice(0, 10).text())
    } catch {
      // What cannot be read is reported where it is opened.
      return false
    }
  }
  const found = await Promise.all(files.map(is))
  return files.filter((_, i) => found[i])
}
