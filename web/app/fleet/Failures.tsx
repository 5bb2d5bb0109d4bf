/** Files of a fleet that could not be read, from its table of errors. */
import type { FleetFailure } from '../../fleet/table/outline'
import { count, counted } from '../../lib/format'

/** Maximum number of listed files; longer tables need a database engine. */
const MAX_LISTED = 1000

/** The path of a file in its recording; empty for the recording itself. */
function innerPath(source: string, file: string): string {
  const start = file.indexOf(source)
  return source === '' || start < 0 ? file : file.slice(start + source.length).replace(/^\//, '')
}

export function Failures({
  failures,
  isOnlyContent,
}: {
  readonly failures: readonly FleetFailure[]
  readonly isOnlyContent: boolean
}) {
  return (
    <details className="fleet-failures" open={isOnlyContent}>
      <summary>
        {counted(failures.length, 'problem')} in{' '}
        {counted(new Set(failures.map(({ source }) => source)).size, 'recording')} of the fleet
      </summary>
      <div className="fleet-failures-box">
        <table>
          <thead>
            <tr>
              <th scope="col">Recording</th>
              <th scope="col">File in it</th>
              <th scope="col">What is wrong</th>
              <th scope="col">Code</th>
            </tr>
          </thead>
          <tbody>
            {failures.slice(0, MAX_LISTED).map(({ source, file, code, message }) => (
              <tr key={`${source} ${file} ${code} ${message}`}>
                <td>{source}</td>
                <td>{innerPath(source, file)}</td>
                <td>{message}</td>
                <td>
                  <code>{code}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {failures.length > MAX_LISTED && (
          <p className="caption">{count(failures.length - MAX_LISTED)} more are in the file.</p>
        )}
      </div>
      {isOnlyContent && (
        <p>
          These are the errors of a fleet; its digests are in the table next to this file. Drop both to see them
          together.
        </p>
      )}
    </details>
  )
}
