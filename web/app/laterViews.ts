/**
 * The views that the first picture of a trace does not need, in a script of their own: it is fetched with the first
 * run, or when nothing was read for a second. `LaterView` shows them in the workspace; an import from the modules of
 * `views.ts` would join the two.
 */
// `Charts.tsx` fetches these by themselves when they are drawn: then they are there.
import '../charts/difference/Chart'
import '../charts/overlay/Chart'

export { RequestLife } from '../charts/life/RequestLife'
export { Matrix } from '../compare/matrix/Matrix'
export { OpenDialog } from './dialogs/OpenDialog'
export { EventLists } from './events/EventLists'
export { ResultsPage } from './results/ResultsPage'
export { MatrixHead } from './workspace/rail/MatrixHead'
export { MatrixRail } from './workspace/rail/MatrixRail'
export { Stream } from './workspace/stream/Stream'
export { Streamed } from './workspace/stream/Streamed'
