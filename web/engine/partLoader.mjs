/** What the bindings of the engine import: a function of the first part that stands for one of a later part calls it. */

/** @type {(number: number) => void} */
let load = () => undefined

/**
 * Sets what instantiates a part by its number.
 * @param {(number: number) => void} loader
 */
export const setPartLoader = loader => {
  load = loader
}

/**
 * Instantiates a part by its number, from 1, unless that has happened. Throws if its module is missing.
 * @param {number} number
 */
export const loadPart = number => load(number)
