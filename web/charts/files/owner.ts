/** How much of the data belongs to objects that are known. */
import type { ObjectSums, ObjectsUsed } from '../../engine/protocol'
import type { Shown } from '../shared/answers/shown'

export const bytesOf = ({ read, write }: Pick<ObjectSums, 'read' | 'write'>): number => read + write

/** The share of the bytes whose object is known; `undefined` without bytes. */
export function knownShare({ all, unknown }: Pick<ObjectsUsed, 'all' | 'unknown'>): number | undefined {
  const bytes = bytesOf(all)
  return bytes === 0 ? undefined : 1 - bytesOf(unknown) / bytes
}

/** Rounded down: what is not complete is not called 100%. */
export const knownPercent = (part: number): string => `${Math.floor(part * 10_000) / 100}%`

/** `Owner known for 99.98% of the bytes in A, 100% in B.`; `undefined` without a map of a disk. */
export function ownerKnownWords(
  shown: readonly (Pick<Shown, 'letter'> & { readonly figures?: { readonly objects?: ObjectsUsed } | undefined })[],
): string | undefined {
  const parts = shown.flatMap(({ letter, figures }) => {
    const part = figures?.objects && knownShare(figures.objects)
    return part === undefined ? [] : [`${knownPercent(part)}${shown.length > 1 ? ` in ${letter}` : ''}`]
  })
  const [first, ...rest] = parts
  if (first === undefined) return undefined
  return `Owner known for ${[first.replace(/%/, '% of the bytes'), ...rest].join(', ')}.`
}
