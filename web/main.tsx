import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createStore } from 'zustand/vanilla'
import { App } from './app/App'
import { openDocuments } from './app/documents'
import { filmOrder } from './app/play/order'
import { onDemand } from './app/shared/onDemand'
import { applyTheme } from './app/theme'
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
import { untilRest } from './engine/reading/rest'
import { onLaunch } from './ingest/launched'
import { pick } from './ingest/pick'
import { isFramed } from './lib/framed'
import { createOpening } from './opening/opening'
import { embedded } from './share/embedded'
import { createActions } from './state/actions/create'
import { followAddress } from './state/address/addressbar'
import { followRuns } from './state/comparing/comparing'
import { createPageStore, withoutRestoring } from './state/page'
import { followLabels } from './state/runs/labelling'
import { mayKeep } from './storage/available'
import type { Keeper } from './storage/keeper'

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
const address = followAddress(store, actions, window, undefined, embedded())
const keeper = createStore<Keeper | undefined>(() => undefined)
import('./storage/keeper').then(
  ({ createKeeper }) => keeper.setState(createKeeper({ store, actions, address, untilRest }, mayKeep()), true),
  () => store.setState(withoutRestoring, true),
)
// A page without an opener and without a frame gets no messages. Senders repeat the first one until it is answered.
if (window.opener !== null || isFramed())
  void import('./embed/follow').then(({ followMessages }) => followMessages(store, actions, address.show, window))
onLaunch(actions.open, reason =>
  actions.show({
    kind: 'errors',
    title: 'The files could not be read',
    errors: [asEngineError(reason, 'unreadable-drop')],
  }),
)

const views = onDemand(() => import('./app/views'))
const laterViews = onDemand(() => import('./app/laterViews'))
const documentViews = onDemand(() => import('./app/documentViews'))
const order = filmOrder()
if (order) void import('./app/play/ordered').then(({ renderOrderedFilm }) => renderOrderedFilm(store, order))
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App page={{ store, actions, keeper }} views={views} laterViews={laterViews} documentViews={documentViews} />
    </StrictMode>,
  )
}
// The page is drawn first. What a drop needs next is on its way before it.
setTimeout(warmUp)
;(window.requestIdleCallback ?? setTimeout)(views.load)
