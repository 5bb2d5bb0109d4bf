/** What pictures and files say that stands elsewhere on the page: its title, and which run is which. */
import { createContext } from 'react'

export interface Heading {
  /** Of the comparison. */
  readonly title: string
  readonly runs: readonly { readonly letter: string; readonly label: string }[]
  /** What the charts leave out, where they do. */
  readonly note?: string
}

export const HeadingContext = createContext<Heading>({ title: '', runs: [] })
