import type { OptionValues } from '../../program/options'
import { readArrangement } from '../../program/values'
import { readAnnotations } from '../../sharing/annotate'

/** Reads the options for the contents of links and reports. */
export const readSharing = (values: OptionValues) => ({
  ...readArrangement(values),
  annotations: readAnnotations(values),
  names: values.names ?? false,
  files: values.files ?? false,
})
