/**
 * The views of open runs and results. This module becomes a script of its own, which the landing page does not wait
 * for (`shared/onDemand.ts`); an import from the landing page's modules would join the two.
 */
export { OpenDialog } from './dialogs/OpenDialog'
export { ClearKept } from './landing/ClearKept'
export { Continue } from './landing/Continue'
export { renderOrderedFilm } from './play/ordered'
export { ResultsPage } from './results/ResultsPage'
export { LinkNotice } from './shared/LinkNotice'
export { Toasts } from './shared/Toasts'
export { Workspace } from './workspace/Workspace'
