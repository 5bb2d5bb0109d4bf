/** Finds the mark under the pointer or next to the cursor. */
import type { Marks } from '../../engine/protocol'
import { boxOf, lifeBox, type MapScene, type MarkBox } from './draw'

/** Reach of the pointer, px. */
const REACH = 8

/** The mark under or nearest to a point, within reach; waiting lines are considered after all marks. */
export function nearestMark(marks: Marks, scene: MapScene, px: number, y: number): number | undefined {
  let best: number | undefined
  let away = REACH
  const nearer = (box: MarkBox | undefined, i: number, penalty: number) => {
    if (box === undefined) return
    const dx = Math.max(box.x - px, 0, px - box.x - box.w)
    const dy = Math.max(box.y - y, 0, y - box.y - box.h)
    const distance = Math.hypot(dx, dy) + penalty
    if (distance < away) [best, away] = [i, distance]
  }
  for (let i = 0; i < marks.n; i += 1) nearer(boxOf(marks, i, scene), i, 0)
  if (best === undefined) for (let i = 0; i < marks.n; i += 1) nearer(lifeBox(marks, i, scene), i, REACH / 3)
  return best
}

/** The next mark on the screen issued after (1) or before (-1) a time. */
export function neighbourMark(marks: Marks, scene: MapScene, t: number, direction: 1 | -1): number | undefined {
  const [first, last] = direction === 1 ? [0, marks.n] : [marks.n - 1, -1]
  for (let i = first; i !== last; i += direction) {
    const time = marks.issued[i] ?? 0
    const beyond = direction === 1 ? time > t : time < t
    if (beyond && time >= scene.range.t0 && time <= scene.range.t1 && boxOf(marks, i, scene) !== undefined) return i
  }
  return undefined
}
