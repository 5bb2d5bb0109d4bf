/** Title, runs and notes for saved pictures and files, which are read without the page. */
import { createContext } from 'react'

export interface PictureHeading {
  /** Title of the comparison. */
  readonly title: string
  readonly runs: readonly { readonly letter: string; readonly label: string }[]
  /** Says what filters leave out. */
  readonly note?: string
}

export const HeadingContext = createContext<PictureHeading>({ title: '', runs: [] })
