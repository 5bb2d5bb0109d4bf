import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { openDocuments } from './app/documents'
import { filmOrder } from './app/play/order'
import { onDemand } from './app/shared/onDemand'
import { applyTheme } from './app/theme'
import { followMessages } from './embed/follow'
import {
  estimateTrace,
  groupParts,
  guessLabels,
  openSnapshot,
  openTrace,
  readTexts,
  results,
  warmUp,
} from './engine/client'
import { asEngineError } from './engine/errors'
import { onLaunch } from './ingest/launched'
import { pick } from './ingest/pick'
import { createOpening } from './opening/opening'
import { embedded } from './share/embedded'
import { createActions } from './state/actions/create'
import { followAddress } from './state/address/addressbar'
import { followRuns } from './state/comparing/comparing'
import { followEvidence } from './state/comparing/evidence'
import { createPageStore } from './state/page'
import { followLabels } from './state/runs/labelling'

const following = () => import('./engine/live/client').then(({ followStream }) => followStream)

applyTheme()
openDocuments()
const store = createPageStore()
const actions = createActions(
  store,
  createOpening(store, { openTrace, following, groupParts, estimateTrace, openSnapshot, results, readTexts }),
  pick,
)
followLabels(store, guessLabels)
followRuns(store)
followEvidence(store)
const { show } = followAddress(store, actions, window, undefined, embedded())
followMessages(store, actions, show, window)
onLaunch(actions.open, reason =>
  actions.show({
    kind: 'errors',
    title: 'The files could not be read',
    errors: [asEngineError(reason, 'unreadable-drop')],
  }),
)

const views = onDemand(() => import('./app/views'))
const fleetViews = onDemand(() => import('./app/fleet'))
const order = filmOrder()
if (order) void import('./app/views').then(({ renderOrderedFilm }) => renderOrderedFilm(store, order))
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App page={{ store, actions }} views={views} fleetViews={fleetViews} />
    </StrictMode>,
  )
}
// The page is drawn first. What a drop needs next is on its way before it.
setTimeout(warmUp)
;(window.requestIdleCallback ?? setTimeout)(views.load)
