/** The order of builds by their names: numbers by value, 6.12-rc3 before 6.12 and 6.12 before 6.12.1. */

const PIECE = /(\d+)|([a-z]+)|(~)/gi
const BEFORE_RELEASE = new Set(['rc', 'alpha', 'beta', 'pre', 'preview'])

interface VersionPiece {
  /** Sorts pre-releases, the end of a name, words and numbers in this order. */
  readonly rank: number
  readonly number: bigint
  readonly word: string
}

const END: VersionPiece = { rank: 0, number: 0n, word: '' }

function piecesOf(name: string): readonly VersionPiece[] {
  const stripped = name.replace(/^v(?=\d)/i, '')
  return [...stripped.matchAll(PIECE)].map(([, number, word, tilde]) => {
    if (number !== undefined) return { rank: 2, number: BigInt(number.slice(0, 60)), word: '' }
    if (tilde !== undefined) return { rank: -2, number: 0n, word: '' }
    const lower = (word ?? '').toLowerCase()
    return { rank: BEFORE_RELEASE.has(lower) ? -1 : 1, number: 0n, word: lower }
  })
}

/** Names with what they are sorted by: each is taken apart once. */
export function inVersionOrder(names: readonly string[]): readonly string[] {
  const keyed = names.map(name => ({ name, pieces: piecesOf(name) }))
  keyed.sort((a, b) => {
    for (let i = 0; i < Math.max(a.pieces.length, b.pieces.length); i++) {
      const [x, y] = [a.pieces[i] ?? END, b.pieces[i] ?? END]
      if (x.rank !== y.rank) return x.rank - y.rank
      if (x.number !== y.number) return x.number < y.number ? -1 : 1
      if (x.word !== y.word) return x.word < y.word ? -1 : 1
    }
    return a.name === b.name ? 0 : a.name < b.name ? -1 : 1
  })
  return keyed.map(({ name }) => name)
}
