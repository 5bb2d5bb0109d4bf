import { expect, it } from 'vitest'
import { skippedWords } from './skippedWords'

const file = { path: 'a.txt' }
const trace = { path: 'sda', error: { code: 'too-many-runs', message: 'sda was skipped' } }

it('tells files from traces beyond the most runs', () => {
  expect([[file], [trace, trace], [file, file, trace]].map(skippedWords)).toEqual([
    '1 file skipped',
    '2 traces skipped',
    '2 files and 1 trace skipped',
  ])
})
