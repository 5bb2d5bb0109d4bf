/** The labels that rows are filtered by, in the order in which they are offered. */
import { differs, type FleetField } from '../fields'
import type { OpenFleet } from '../useFleet'

/** Labels that most tables are filtered by. */
const MAIN: readonly string[] = ['build', 'kernel', 'device', 'model', 'scheduler', 'workload', 'findings']

/** Labels with more than one value, and those that are filtered by. */
export const facetFields = ({ fields, columns, view }: OpenFleet): readonly FleetField[] =>
  fields.labels.filter(({ name }) => differs(columns.get(name)) || view.filters[name])

/** Those of them that are shown at first. */
export function mainFacets(open: OpenFleet): readonly FleetField[] {
  const all = facetFields(open)
  const main = all.filter(({ name }) => MAIN.includes(name) || open.view.filters[name])
  return all.length - main.length < 2 ? all : main
}
