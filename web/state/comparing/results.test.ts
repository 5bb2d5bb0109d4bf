import { expect, test } from 'vitest'
import type { ResultsDocument } from '../../engine/protocol'
import { linkedTables } from './results'

const document = (...tables: readonly (readonly [string, readonly string[]])[]) =>
  ({
    absent: '',
    tables: tables.map(([title, labels]) => ({ title, runs: labels.map(label => ({ label })) })),
  }) as unknown as ResultsDocument

test('tables of a link stay when files are added, except for those that the files have too', () => {
  const { tables: linked } = document(['fio', ['a', 'b']], ['dd', ['a']])
  const titles = (added: ResultsDocument) => linkedTables(added, linked).map(table => table.title)
  expect(titles(document(['rate', ['x']]))).toEqual(['fio', 'dd'])
  expect(titles(document(['dd', ['a']]))).toEqual(['fio'])
  // Of one name with other runs: another table.
  expect(titles(document(['fio', ['a', 'c']]))).toEqual(['fio', 'dd'])
  expect(linkedTables(document(['fio', ['a']]))).toEqual([])
})
