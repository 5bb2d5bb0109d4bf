/** The modules are built anew when any crate in them has changed. */
import { expect, test } from 'vitest'
import { metadata } from './crates.mjs'
import { WORKSPACE } from './run.mjs'
import { moduleCrates } from './setup.mjs'

interface Metadata {
  readonly packages: readonly { readonly id: string; readonly name: string; readonly manifest_path: string }[]
  readonly resolve: { readonly nodes: readonly { readonly id: string; readonly dependencies: readonly string[] }[] }
}

test('the sources of the modules are all crates of the workspace that cargo links into them', () => {
  const { packages, resolve }: Metadata = metadata()
  const folders = new Map(
    packages
      .filter(({ manifest_path: path }) => path.startsWith(WORKSPACE))
      .map(({ id, manifest_path: path }) => [id, path.slice(WORKSPACE.length + 1).replace('/Cargo.toml', '')]),
  )
  const linked = new Set([...folders].filter(([, folder]) => /^(.+-)?wasm$/.test(folder)).map(([id]) => id))
  for (const id of linked)
    for (const used of resolve.nodes.find(node => node.id === id)?.dependencies ?? [])
      if (folders.has(used)) linked.add(used)
  expect(linked.size).toBeGreaterThan(10)
  expect(moduleCrates()).toEqual(expect.arrayContaining([...linked].map(id => folders.get(id))))
})
