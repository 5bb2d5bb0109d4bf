import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/App'
import { applyTheme } from './app/theme'
import { groupParts, openTrace, warmUp } from './engine/client'
import { pick } from './ingest/pick'
import { createActions } from './state/actions'
import { followAddress } from './state/addressbar'
import { createPageStore } from './state/page'

applyTheme()
warmUp()
const store = createPageStore()
const actions = createActions(store, { openTrace, groupParts }, pick)
followAddress(store, actions, window)

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App page={{ store, actions }} />
    </StrictMode>,
  )
}
