/** The sides of results as the page marks them, and what is chosen for blocks. */
import type {
  BlockChoice,
  BlockReading,
  ResultMatrix,
  TableReading,
  TextChoices,
  TextReading,
} from '../../engine/protocol'
import { LETTERS } from '../../link/view'
import { sideOf } from '../results/tableSides'

/** `A` of the base; absent behind the last letter. */
export function letterOf({ sides }: Pick<TableReading, 'sides'>, side: string | undefined): string | undefined {
  return side === undefined ? undefined : LETTERS[sides.indexOf(side)]
}

/** Keys of figures that one side alone has. */
export function loneFigures(table: ResultMatrix): ReadonlySet<string> {
  const sides = new Map<string, Set<string>>()
  for (const [run, { figures }] of table.runs.entries())
    for (const { key } of figures) sides.set(key, (sides.get(key) ?? new Set()).add(sideOf(table, run) ?? ''))
  const several = new Set([...sides.values()].flatMap(set => [...set])).size > 1
  return new Set(several ? [...sides].filter(([, set]) => set.size === 1).map(([key]) => key) : [])
}

const isOf =
  (file: string, { lines }: BlockReading) =>
  (choice: BlockChoice) =>
    choice.file === file && choice.line === lines[0]

/** Changes the choice for one block; what is absent or `false` is not chosen. */
export function chosenFor(
  choices: TextChoices,
  file: string,
  block: BlockReading,
  change: { readonly label?: string; readonly excluded?: boolean },
): TextChoices {
  const { blocks = [], ...rest } = choices
  const before = blocks.find(isOf(file, block))
  const { label, excluded } = { ...before, ...change }
  const others = blocks.filter(choice => choice !== before)
  const own: BlockChoice = {
    file,
    line: block.lines[0],
    ...(label !== undefined && label !== '' && { label }),
    ...(excluded && { excluded }),
  }
  const all = own.label === undefined && !own.excluded ? others : [...others, own]
  return { ...rest, ...(all.length > 0 && { blocks: all }) }
}

/** A label that no side has: `C` behind A and B. */
export function newSide({ sides }: TableReading): string {
  for (let n = sides.length; ; n++) {
    const label = `side ${LETTERS[n] ?? n + 1}`
    if (!sides.includes(label)) return label
  }
}

/** A block of a text that a person changes. */
export interface ChangedBlock {
  readonly text: TextReading
  readonly block: BlockReading
  /** Of the block; absent where no figure of it is used. */
  readonly table: TableReading | undefined
  readonly choices: TextChoices
  choose(choices: TextChoices): void
}

export interface BlockChanges {
  change(what: { readonly label?: string; readonly excluded?: boolean }): void
  /** All blocks of its side get the name. */
  rename(label: string): void
}

export function blockChanges({ text: { path, blocks }, block, choices, choose }: ChangedBlock): BlockChanges {
  const [side] = block.sides
  return {
    change: what => choose(chosenFor(choices, path, block, what)),
    rename(label) {
      if (side === undefined || label === '' || label === side) return
      const own = blocks.filter(({ sides, labelled, excluded }) => labelled && !excluded && sides[0] === side)
      choose(own.reduce((all, one) => chosenFor(all, path, one, { label }), choices))
    },
  }
}
