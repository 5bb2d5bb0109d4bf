/** Shows the tip 12 px from the pointer, on the side where there is room. */
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import type { Tips } from './tips'

const AWAY = 12

export function Tooltip({ tips }: { readonly tips: Tips }) {
  const state = useSyncExternalStore(tips.watch, tips.get)
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (state === undefined || box.current === null) return
    const { width, height } = box.current.getBoundingClientRect()
    const right = state.x + AWAY + width <= innerWidth - 4
    const below = state.y + AWAY + height <= innerHeight - 4
    const x = right ? state.x + AWAY : Math.max(4, state.x - AWAY - width)
    const y = below ? state.y + AWAY : Math.max(4, state.y - AWAY - height)
    box.current.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`
  }, [state])
  if (state === undefined) return undefined
  return (
    <div ref={box} className="chart-tip" role="status">
      <div className="chart-tip-title">{state.tip.title}</div>
      {state.tip.rows.length > 0 && (
        <table>
          <tbody>
            {state.tip.rows.map(row => (
              <tr key={row.join('\t')}>
                {row.map((cell, i) => (
                  // Cells have no identity but their column.
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns are fixed
                  <td key={i}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
