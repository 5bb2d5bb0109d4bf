/** The pages of documents, in a script of their own, which is fetched when the first document is opened. */
import type { ReactNode } from 'react'
import type { PageBisection, PageFleet } from '../state/page'
import { BisectPage } from './bisect/BisectPage'
import { FleetPage } from './fleet/FleetPage'

interface DocumentPageProps {
  readonly document: PageFleet | PageBisection
  readonly themeButton: ReactNode
}

export function DocumentPage({ document, themeButton }: DocumentPageProps) {
  return 'client' in document ? (
    <FleetPage fleet={document} themeButton={themeButton} />
  ) : (
    <BisectPage bisection={document} themeButton={themeButton} />
  )
}
