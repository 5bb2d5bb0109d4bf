/** Wrong usage: reported with a pointer to `--help`; exit status 2. */
export class UsageError extends Error {}

/** Something Seekscope itself needs is missing or refused; exit status 1. */
export class SetupError extends Error {}
