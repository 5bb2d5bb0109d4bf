/** `--where`: a condition on the columns of digests. */
import { ConditionError, type RowTest, readCondition } from '../../web/fleet/rows/where'
import { UsageError } from '../program/usage'

/** Reads a condition. Throws UsageError; `columns` are the names that it may have. */
export function parseWhere(text: string, columns: readonly string[]): RowTest {
  try {
    return readCondition(text, columns).test
  } catch (error) {
    throw error instanceof ConditionError ? new UsageError(`--where: ${error.message}`) : error
  }
}
