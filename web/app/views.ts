/**
 * What the page shows once something is open. In a script of its own, which the landing page does not wait for
 * (`shared/onDemand.ts`).
 */
export { OpenDialog } from './dialogs/OpenDialog'
export { makeOrdered } from './play/ordered'
export { ResultsPage } from './results/ResultsPage'
export { Workspace } from './workspace/Workspace'
