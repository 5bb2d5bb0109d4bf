/** What a measurement is, for the driver and `--help`. */
import { Stop } from '../../scripts/lib/run.mjs'

/**
 * @typedef {object} BenchOption
 * @property {'string' | 'boolean'} type
 * @property {string} help
 * @property {string} [default] of a string
 */
/**
 * @typedef {object} BenchCall
 * @property {Readonly<Record<string, string | undefined>>} values of options that are strings
 * @property {ReadonlySet<string>} flags options that are booleans and were given
 * @property {readonly string[]} operands the other arguments; all of them where the bench passes its arguments on
 */
/**
 * @typedef {object} Bench
 * @property {string} summary one line
 * @property {Readonly<Record<string, BenchOption>>} [options]
 * @property {string} [operands] what else it takes: `FOLDER`
 * @property {true} [passes] the arguments are those of another program
 * @property {true} [prints] its standard output is data, so that the driver prints nothing else
 * @property {(call: BenchCall) => Promise<void>} run
 */

/** @type {BenchOption} */
export const RUNS = { type: 'string', default: '3', help: 'repetitions; tables have their median' }

/** A list of positive numbers: `1,5,20`. @param {string | undefined} text @returns {readonly number[]} */
export function readNumbers(text) {
  const list = (text ?? '').split(',').map(Number)
  if (list.some(n => !(n > 0))) throw new Stop(`expected a list of positive numbers: ${text}`)
  return list
}

/** One positive number. @param {string | undefined} text */
export function readNumber(text) {
  const [number = 0, ...more] = readNumbers(text)
  if (more.length > 0) throw new Stop(`expected one positive number: ${text}`)
  return number
}
