/** How texts were read: what a person sees of them, the blocks in them, and which of their numbers are in which table. */

import type { ResultsDocument } from './results'

/** What a person chose; what is absent is as the texts show it. */
export interface TextChoices {
  /** By what sides are told apart: `heading`, `file`, `folder`, `argument`, `column:NAME`. */
  readonly sides?: string
  readonly blocks?: readonly BlockChoice[]
}

/** What was chosen for the block that begins in a line. */
export interface BlockChoice {
  /** Path of its text. */
  readonly file: string
  /** Its first shown line, from 0. */
  readonly line: number
  /** Its side. Blocks with the same label are repeats, where nothing else tells them apart. */
  readonly label?: string
  readonly excluded?: boolean
}

/** A way to tell sides apart. */
export interface SideChoice {
  /** As in `TextChoices`. */
  readonly sides: string
  /** Behind `by`: `the headings`. */
  readonly words: string
}

/** By what the sides of a table were told apart. */
export interface TableReading {
  /** `Read as two runs, by the headings 'a' and 'b'; 2 of 14 numbers not used.` */
  readonly sentence: string
  /** As in `TextChoices`; absent if there are no sides, or only their order tells them apart. */
  readonly by?: string
  /** All that could be chosen, `by` among them. */
  readonly possible: readonly SideChoice[]
  /** Labels of its sides, the base first. */
  readonly sides: readonly string[]
  /** A person changed how it was read. */
  readonly changed: boolean
}

/** A part of a text with one output or one table. */
export interface BlockReading {
  /** Its first and last shown line, from 0. */
  readonly lines: readonly [number, number]
  /** `table`, or the program that printed it. */
  readonly tool: string
  /** Index of its table; absent where no figure of it is used. */
  readonly table?: number
  /** Labels of the sides of its figures. */
  readonly sides: readonly string[]
  /** What named its side: line and characters as shown, from 0. */
  readonly heading?: readonly [line: number, start: number, end: number]
  readonly excluded: boolean
  /** The label that a person gave it. */
  readonly label?: string
  /** It can have a label: its columns are not its sides. */
  readonly labelled: boolean
  /** Numbers in its lines, and those of them that are neither in a table nor a value of a dimension. */
  readonly numbers: number
  readonly unused: number
}

/** A number that is in a table: line and characters as shown, from 0; indices of table, run and figure. */
export type UsedNumber = readonly [line: number, start: number, end: number, table: number, run: number, figure: number]

/** A text as a person sees it, and what was found in it. */
export interface TextReading {
  readonly path: string
  /** Its lines, with a line feed between them. */
  readonly text: string
  /** Lines that `text` lacks, because it would be too long. */
  readonly omitted: number
  /** Numbers of the lines in the file, where the text is encoded and they are others. */
  readonly file_lines?: readonly number[]
  readonly blocks: readonly BlockReading[]
  /** In the order of the text. */
  readonly used: readonly UsedNumber[]
  /** Numbers that are values of dimensions: line and characters as shown, in the order of the text. */
  readonly parameters: readonly (readonly [line: number, start: number, end: number])[]
}

/** Results, and how the texts were read. */
export interface ReadResults {
  readonly document: ResultsDocument
  readonly reading: ResultsReading
}

export interface ResultsReading {
  /** About all tables. */
  readonly sentence: string
  /** In the order of the results' tables. */
  readonly tables: readonly TableReading[]
  /** Texts with blocks. */
  readonly texts: readonly TextReading[]
  /** Sides were asked for that no table has. */
  readonly refused: boolean
  /** What is wrong with the texts, of which the rest was read. */
  readonly warnings: readonly ReadingWarning[]
  /** What of the texts was not read: large texts are read in part, and of very many texts the first. */
  readonly unread?: string
}

export interface ReadingWarning {
  readonly code: string
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly message: string
}
