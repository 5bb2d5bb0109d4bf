import { expect, it } from 'vitest'
import { fixture, openTrace } from '../../tests/engine'
import { contentsOf, type DigestContents } from './stored'

/** The value without a field, or with another value of it. */
function damaged(value: unknown, [key = '', ...rest]: readonly string[], replacement?: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy = structuredClone(value) as Record<string, unknown>
  if (rest.length > 0) copy[key] = damaged(copy[key], rest, replacement)
  else if (replacement === undefined) delete copy[key]
  else copy[key] = replacement
  return copy
}

it('takes a digest of the engine, and none that lacks what the page reads or has it in another form', async () => {
  const { ask } = await openTrace(fixture('sync-fua'))
  const contents: DigestContents = {
    label: 'a',
    path: 'a/vda.blktrace.0',
    labelSource: { label: 'a', folder: '' },
    bench: [],
    settings: [],
    trace: await ask('digest', {}),
  }
  expect(contentsOf(JSON.stringify(contents))).toEqual(JSON.parse(JSON.stringify(contents)))
  const device = ['trace', 'devices', '0']
  const needed = [
    ['label'],
    ['path'],
    ['labelSource'],
    ['trace'],
    ...['name', 'events', 'quality', 'devices'].map(name => ['trace', name]),
    ...['dev', 'name', 'active', 'figures', 'bins'].map(name => [...device, name]),
    ...['width', 'sums'].map(name => [...device, 'bins', name]),
  ]
  for (const path of needed)
    for (const replacement of [undefined, null, true])
      expect(
        contentsOf(JSON.stringify(damaged(contents, path, replacement))),
        `${path.join('.')}: ${replacement}`,
      ).toBeUndefined()
  for (const [path, replacement] of [
    [['kernel'], 6],
    [['bench'], [1]],
    [['settings'], {}],
    [['trace', 'devices'], []],
    [[...device, 'active'], [0]],
    [[...device, 'figures'], { iops: 'many' }],
    [[...device, 'sizes'], [{}]],
    [[...device, 'bins', 'sums'], { iops: [[1]] }],
  ] as const)
    expect(contentsOf(JSON.stringify(damaged(contents, path, replacement))), path.join('.')).toBeUndefined()
  expect(contentsOf('{')).toBeUndefined()
})
