/** The recording of a run, as one file that the page can fetch. */
import { constants, copyFileSync, createWriteStream, linkSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { closeInputs, type InputFile } from '../input/find/inputs'
import { resolveInputs } from '../input/find/paths'
import { systemCode, systemWords } from '../input/find/system'
import { complain } from '../output/progress'
import { SetupError, UsageError } from '../program/usage'
import { entriesOf, tar } from '../sharing/tar'
import { RECORDING } from './runs'

/** Whether a path is a file that can be kept as it is. */
const isSingleFile = (paths: readonly string[]): boolean =>
  paths.length === 1 && (statSync(paths[0] ?? '', { throwIfNoEntry: false })?.isFile() ?? false)

/**
 * The files of a recording; empty where one of the paths has none, which is reported. What cannot be read in a folder
 * is reported when the recording is read. Throws UsageError for what cannot be kept, or has the published runs in it.
 */
export function filesToPublish(paths: readonly string[], into: string): readonly InputFile[] {
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (path === '-' || (stats && !stats.isFile() && !stats.isDirectory()))
      throw new UsageError(`${path} is not a file or a folder: save the recording first`)
    if (stats?.isDirectory() && `${resolve(into)}${sep}`.startsWith(`${resolve(path)}${sep}`))
      throw new UsageError(`--into: ${into} is in the recording ${path}: publish into another folder`)
  }
  const all = paths.map(path => ({ path, files: resolveInputs(path, () => undefined) }))
  const missing = all.find(({ files }) => files.length === 0)
  if (!missing) return all.flatMap(({ files }) => files)
  complain(missing.path, 'not-found', 'There is no recording. The run is not published.')
  return []
}

/** A second name for the file where the file system allows it: no bytes are copied. */
function linkOrCopy(source: string, target: string): void {
  const file = realpathSync(source)
  try {
    linkSync(file, target)
  } catch (error) {
    if (!['EXDEV', 'EPERM', 'EACCES', 'EMLINK', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error
    copyFileSync(file, target, constants.COPYFILE_EXCL)
  }
}

/**
 * Keeps a recording in the folder of its run: one file as it is, several as an archive, because a page cannot list a
 * folder. Returns its path in that folder. Throws SetupError.
 */
export async function keepRecording(
  paths: readonly string[],
  files: readonly InputFile[],
  folder: string,
  name: string,
): Promise<string> {
  const single = isSingleFile(paths)
  const file = `${RECORDING}/${single ? basename(paths[0] ?? '') : `${name}.tar.gz`}`
  const target = join(folder, file)
  try {
    mkdirSync(join(folder, RECORDING))
    if (single) linkOrCopy(paths[0] ?? '', target)
    else
      await pipeline(
        Readable.from(tar(entriesOf(files)), { objectMode: false }),
        createGzip(),
        createWriteStream(target, { flags: 'wx' }),
      )
    return file
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    throw new SetupError(`cannot write ${target}: ${systemWords(error)}`)
  } finally {
    closeInputs()
  }
}
