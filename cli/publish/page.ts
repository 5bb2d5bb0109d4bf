/** The page beside the published runs, so that any web server shows their index. */
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemWords } from '../input/find/system'
import { unfinishedFolder } from '../output/output'
import { packageFile } from '../places'
import { SetupError } from '../program/usage'
import { unfinishedName } from './runs'

const DIST = fileURLToPath(packageFile('dist/'))

/** Folder of the page in that of the published runs. */
export const PAGE = 'page'

/** Lists all files of the page with their hashes, so it changes with each of them. */
const LIST = 'sw.js'

const isSame = (placed: string): boolean =>
  existsSync(join(placed, LIST)) && readFileSync(join(placed, LIST)).equals(readFileSync(join(DIST, LIST)))

/** Places the page of this version, or leaves it if it is there already. Throws SetupError. */
export function placePage(into: string): void {
  if (!existsSync(join(DIST, LIST)))
    throw new SetupError('the page is not built. Run: npm run build, or name a hosted page with --base URL')
  const placed = join(into, PAGE)
  const [fresh, previous] = [join(into, unfinishedName(PAGE)), join(into, unfinishedName(PAGE))]
  const drop = unfinishedFolder(fresh)
  try {
    if (isSame(placed)) return
    cpSync(DIST, fresh, { recursive: true })
    // Another command may have placed it meanwhile.
    if (isSame(placed)) return
    if (existsSync(placed)) renameSync(placed, previous)
    renameSync(fresh, placed)
    rmSync(previous, { recursive: true, force: true })
  } catch (error) {
    if (!isSame(placed)) throw new SetupError(`cannot write ${placed}: ${systemWords(error)}`)
  } finally {
    drop()
  }
}
