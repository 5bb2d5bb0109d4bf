/** The columns of a request export, and the source of each. Documented in docs/at-scale.md. */

/** @typedef {import('../engine/protocol').RequestColumns} RequestRows rows of one trace, as the engine gives them */
/** @typedef {{ run: string, trace: string, info: import('../engine/protocol').TraceInfo }} RowOwner the run and trace of the rows */
/** @typedef {string | number | boolean | undefined} ExportCell absent: NULL */
/** @typedef {{ name: string, type: 'STRING' | 'INT32' | 'INT64' | 'BOOLEAN', cells: (page: RequestRows, of: RowOwner) => (row: number) => ExportCell }} ExportColumn */

/** @param {Float64Array} list */
const known = list => (/** @type {number} */ i) => {
  const value = list[i]
  return value === undefined || Number.isNaN(value) ? undefined : value
}

/** A property of the device of each row. @param {'name' | 'dev' | 'role'} key @returns {ExportColumn['cells']} */
const ofDevice = key => (page, of) => {
  const by = new Map(of.info.devices.map(device => [device.index, device[key]]))
  return i => by.get(page.device[i] ?? -1)
}

/** @param {'pid' | 'name'} key @returns {ExportColumn['cells']} */
const ofProcess = key => (page, of) => {
  const by = new Map(of.info.processes.map(process => [process.index, process[key]]))
  return i => by.get(page.process[i] ?? -1)
}

/** @param {'queued' | 'allocated' | 'inserted' | 'issued' | 'completed'} key @returns {ExportColumn} */
const time = key => ({ name: `${key}_ns`, type: 'INT64', cells: page => known(page[key]) })

/** @param {'q2c' | 'd2c' | 'q2d' | 'q2g' | 'g2i' | 'i2d' | 'g2d'} key @returns {ExportColumn} */
const stage = key => ({ name: `${key}_ns`, type: 'INT64', cells: page => known(page[key]) })

/** @type {readonly ExportColumn[]} */
export const COLUMNS = [
  { name: 'run', type: 'STRING', cells: (_, of) => () => of.run },
  { name: 'trace', type: 'STRING', cells: (_, of) => () => of.trace },
  { name: 'device', type: 'STRING', cells: ofDevice('name') },
  { name: 'dev', type: 'STRING', cells: ofDevice('dev') },
  { name: 'role', type: 'STRING', cells: ofDevice('role') },
  { name: 'op', type: 'STRING', cells: page => i => page.names.op[page.op[i] ?? -1] },
  { name: 'rwbs', type: 'STRING', cells: page => i => page.names.rwbs[page.rwbs[i] ?? -1] },
  { name: 'passthrough', type: 'BOOLEAN', cells: passthrough },
  { name: 'sector', type: 'INT64', cells: sector },
  { name: 'sectors', type: 'INT32', cells: page => i => (page.bytes[i] ?? 0) >>> 9 },
  { name: 'bytes', type: 'INT64', cells: page => i => page.bytes[i] },
  { name: 'alignment', type: 'STRING', cells: page => i => page.names.alignment[(page.alignment[i] ?? 0) - 1] },
  { name: 'process', type: 'STRING', cells: ofProcess('name') },
  { name: 'pid', type: 'INT32', cells: ofProcess('pid') },
  { name: 'submit_cpu', type: 'INT32', cells: page => known(page.submitCpu) },
  { name: 'complete_cpu', type: 'INT32', cells: page => known(page.completeCpu) },
  { name: 'bios', type: 'INT32', cells: page => known(page.bios) },
  { name: 'error', type: 'INT32', cells: page => known(page.error) },
  ...[time('queued'), time('allocated'), time('inserted'), time('issued'), time('completed')],
  ...[stage('q2c'), stage('d2c'), stage('q2d'), stage('q2g'), stage('g2i'), stage('i2d'), stage('g2d')],
]

/** A flush has no position, whatever the kernel wrote there. @param {RequestRows} page */
function sector(page) {
  const [flush, at] = [page.names.op.indexOf('flush'), known(page.sector)]
  return (/** @type {number} */ i) => (page.op[i] === flush ? undefined : at(i))
}

/** @param {RequestRows} page */
function passthrough(page) {
  const bit = 1 << page.names.flags.indexOf('passthrough')
  return (/** @type {number} */ i) => ((page.flags[i] ?? 0) & bit) !== 0
}
