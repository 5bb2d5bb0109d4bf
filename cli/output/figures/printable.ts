/** Printable ASCII: texts from elsewhere may contain anything, also escape sequences. */
export const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')
