/** Positions of the values of each side on one axis from 0 to the largest of them; below 0, from the least. Pure. */
export function dotPlaces(sides: readonly (readonly number[])[], width: number): readonly (readonly number[])[] {
  const values = sides.flat()
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  return sides.map(side => side.map(value => (high === low ? 0 : ((value - low) / (high - low)) * width)))
}
