/** The page while a fleet is open, in a script of its own: it is fetched with the first table. */
export { FleetPage } from './FleetPage'
