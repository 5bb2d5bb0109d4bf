/** Inputs that cannot be read, as the engine reports problems: each costs only itself. */
import type { EngineError } from '../../../web/engine/protocol'
import { systemCode, systemWords } from './system'

const refused = (path: string, code: string, message: string, remedy?: string): EngineError => ({
  code,
  message,
  at: { file: path },
  ...(remedy !== undefined && { remedy }),
})

/** Node reads names of arguments as UTF-8, and replaces what is not. */
const REPLACED = '\ufffd'

export const notFound = (path: string): EngineError =>
  refused(
    path,
    'not-found',
    'No such file, base name or directory.',
    path.includes(REPLACED) ? 'Its name is not UTF-8: name its directory instead.' : 'Check the path.',
  )

export const noFiles = (path: string): EngineError =>
  refused(
    path,
    'not-found',
    'The directory contains no files.',
    'Check the path; files whose names begin with a dot are not read.',
  )

/** An error of Node about a file. */
export function unreadable(path: string, error: unknown): EngineError {
  const denied = ['EACCES', 'EPERM'].includes(systemCode(error) ?? '')
  const remedy = denied ? 'Change its permissions, or run the command as a user who may read it.' : undefined
  return refused(path, 'unreadable', `The file cannot be read: ${systemWords(error)}.`, remedy)
}

/** Error of a recording in a fleet whose path is not UTF-8: the path identifies it in the table. */
export const notUtf8 = (path: string): EngineError =>
  refused(path, 'unreadable', 'Its name is not UTF-8.', 'Rename it.')

/** An error of Node about a symbolic link in a directory. */
export const brokenLink = (path: string, error: unknown): EngineError =>
  systemCode(error) === 'ENOENT'
    ? refused(
        path,
        'not-found',
        'A symbolic link to a file that does not exist.',
        'Restore the file, or remove the link.',
      )
    : systemCode(error) === 'ELOOP'
      ? loop(path)
      : unreadable(path, error)

export const loop = (path: string): EngineError =>
  refused(path, 'link-loop', 'A symbolic link that leads back to itself or to its own directory.', 'Remove the link.')

/** A FIFO or device in a directory is not opened: reading it may never end. */
export const special = (path: string): EngineError =>
  refused(path, 'not-a-file', 'A FIFO, socket or device, not a file.', 'To read a FIFO, name it on the command line.')

export const device = (path: string): EngineError =>
  refused(
    path,
    'not-a-file',
    'A device, not a recording of it.',
    `Record it first: blktrace -d ${path} -D FOLDER, then name the folder.`,
  )

/** Error of a pipe that does not end. */
export const endless = (path: string, maxBytes: number): EngineError =>
  refused(
    path,
    'too-large',
    `More than ${maxBytes / 2 ** 30} GiB came from a pipe or a file without a size.`,
    'Write it to a file, and name the file.',
  )
