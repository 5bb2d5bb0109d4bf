/** Entry of the fleet's script, which is fetched when the first table is opened. */
export { FleetPage } from './FleetPage'
