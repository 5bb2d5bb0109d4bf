/** While the script with all views is missing: what the landing page and dialogs show in their place. */
export interface MissingViews {
  readonly failed: boolean
  retry(): void
}

export const missingTitle = ({ failed }: MissingViews): string =>
  failed ? 'The rest of the page could not be loaded' : 'Loading the rest of the page…'

export const MISSING_REMEDY =
  'Check the connection and retry. If the host has a newer version of the page by now, reload it.'
