/**
 * A file of the package or of the checkout. `cli/` is as deep as the bundle in `dist-cli/`: in a folder below, this
 * module would find other files when it is run from its sources.
 */
export const packageFile = (path: string): URL => new URL(`../${path}`, import.meta.url)
