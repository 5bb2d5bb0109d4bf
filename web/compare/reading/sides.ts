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

/** Letter of a side, `A` for the base; absent if there are more sides than letters. */
export function letterOf({ sides }: Pick<TableReading, 'sides'>, side: string | undefined): string | undefined {
  return side === undefined ? undefined : LETTERS[sides.indexOf(side)]
}

/** Keys of figures that only one side has. */
export function loneFigures(table: ResultMatrix): ReadonlySet<string> {
  const sides = new Map<string, Set<string>>()
  for (const [run, { figures }] of table.runs.entries())
    for (const { key } of figures) sides.set(key, (sides.get(key) ?? new Set()).add(sideOf(table, run) ?? ''))
  const several = new Set([...sides.values()].flatMap(letters => [...letters])).size > 1
  return new Set(several ? [...sides].filter(([, set]) => set.size === 1).map(([key]) => key) : [])
}

const isChoiceOf =
  (file: string, { lines }: BlockReading) =>
  (choice: BlockChoice) =>
    choice.file === file && choice.line === lines[0]

/** The choices after a change for one block. A block without a label that is not excluded has no choice. */
export function withChoice(
  choices: TextChoices,
  file: string,
  block: BlockReading,
  change: { readonly label?: string; readonly excluded?: boolean },
): TextChoices {
  const { blocks = [], ...rest } = choices
  const previous = blocks.find(isChoiceOf(file, block))
  const { label, excluded } = { ...previous, ...change }
  const otherChoices = blocks.filter(choice => choice !== previous)
  const blockChoice: BlockChoice = {
    file,
    line: block.lines[0],
    ...(label !== undefined && label !== '' && { label }),
    ...(excluded && { excluded }),
  }
  const nextBlocks =
    blockChoice.label === undefined && !blockChoice.excluded ? otherChoices : [...otherChoices, blockChoice]
  return { ...rest, ...(nextBlocks.length > 0 && { blocks: nextBlocks }) }
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
  /** Table of the block; absent if no figure of it is used. */
  readonly table: TableReading | undefined
  readonly choices: TextChoices
  choose(choices: TextChoices): void
}

export interface BlockChanges {
  change(choice: { readonly label?: string; readonly excluded?: boolean }): void
  /** Renames the side in all of its blocks. */
  rename(label: string): void
}

export function blockChanges({ text: { path, blocks }, block, choices, choose }: ChangedBlock): BlockChanges {
  const [side] = block.sides
  return {
    change: choice => choose(withChoice(choices, path, block, choice)),
    rename(label) {
      if (side === undefined || label === '' || label === side) return
      const sideBlocks = blocks.filter(({ sides, labelled, excluded }) => labelled && !excluded && sides[0] === side)
      choose(sideBlocks.reduce((next, sideBlock) => withChoice(next, path, sideBlock, { label }), choices))
    },
  }
}
