/**
 * The views of open runs. This module becomes a script of its own, which the landing page does not wait
 * for (`shared/onDemand.ts`); an import from the landing page's modules would join the two.
 */
export { runCommand } from './commands'
export { ClearKept } from './landing/ClearKept'
export { Continue } from './landing/Continue'
export { LinkNotice } from './shared/LinkNotice'
export { Toasts } from './shared/Toasts'
export { Workspace } from './workspace/Workspace'
