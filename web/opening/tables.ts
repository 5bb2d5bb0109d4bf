/** Which of the files are tables: they open as a fleet. */
import type { FoundFile } from '../ingest/found'

/** More files are only looked into if their names say that they are tables. */
const FEW_FILES = 8

/** Files that are tables of digests or Parquet, by their first bytes. */
export async function tablesAmong(files: readonly FoundFile[]): Promise<readonly FoundFile[]> {
  const is = async ({ name, blob }: FoundFile) => {
    if (files.length > FEW_FILES && !/\.(parquet|jsonl)$/i.test(name)) return false
    try {
      return /^(PAR1|{"schema":)/.test(await blob.slice(0, 10).text())
    } catch {
      // A read error is reported when the file is opened.
      return false
    }
  }
  const found = await Promise.all(files.map(is))
  return files.filter((_, i) => found[i])
}
