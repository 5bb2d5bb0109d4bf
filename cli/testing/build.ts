/** Before any test: the tests run the built command line, never a stale one. */
export { commandLine as default } from '../../scripts/lib/setup.mjs'
