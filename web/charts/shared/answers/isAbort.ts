/** Whether a query was rejected because a newer one replaced it. */
export const isAbort = (reason: unknown): boolean => reason instanceof Error && reason.name === 'AbortError'
