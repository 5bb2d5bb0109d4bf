/** Controls of the seek map: colour layer, true scale, stripes. */
import type { ChartName, Layer } from '../../engine/protocol'
import { sector } from '../../lib/units'
import { heldLayers } from '../../state/filter'
import type { ChartFrame } from '../shared/answers/shown'
import { Choice } from '../shared/menu/Choice'
import { OneScaleButton } from '../shared/menu/OwnLength'
import { rulerFits } from './axis/ruler'
import type { LbaAxis } from './axis/useAxis'
import { LAYER_NAMES } from './layers'

const LAYERS: readonly Layer[] = ['density', 'op', 'alignment', 'process', 'size', 'latency', 'sync', 'object']
/** Stripes shown by the button: enough for a pattern, few enough to see units. */
const STRIPES = 6

export function MapTools({
  frame,
  axis,
  layer,
}: {
  readonly frame: ChartFrame
  readonly axis: LbaAxis
  readonly layer: Layer
}) {
  const { view, actions, shown } = frame
  const geometry = shown.find(s => s.filter.geometry)?.filter.geometry
  const [part] = axis.parts
  const missing = (chart: ChartName) => shown.every(s => s.device.absent?.[chart] !== undefined)
  const lacking: readonly Layer[] = [
    ...(missing('processes') ? ['process' as const] : []),
    ...(missing('latency') ? ['latency' as const] : []),
    ...(frame.objects.list.length === 0 ? ['object' as const] : []),
  ]
  const held = heldLayers(shown.map(s => s.run))
  const showStripes = () => {
    if (geometry === undefined || part === undefined) return
    const stripe = geometry.unit * geometry.dataDisks
    const middle = Math.floor(((part.lba0 + part.lba1) / 2 - geometry.start) / stripe)
    const low = Math.max(0, geometry.start + (middle - STRIPES / 2) * stripe)
    actions.lookLba([sector(low), sector(low + STRIPES * stripe)])
  }
  return (
    <span className="chart-tools">
      <Choice
        label="colour"
        value={layer}
        options={LAYERS.filter(
          l => (l !== 'alignment' || geometry !== undefined) && (held?.includes(l) ?? true) && !lacking.includes(l),
        ).map(l => [l, `by ${LAYER_NAMES[l]}`])}
        onChange={actions.setLayer}
      />
      {frame.stacked && (
        // Wide pages have it in their bar.
        <button type="button" title="The seek map and the queue in time (K)" onClick={actions.playBack}>
          Play
        </button>
      )}
      {frame.ownFrames && <OneScaleButton frame={frame} />}
      {axis.canCut && view.lba === undefined && (
        <button type="button" aria-pressed={view.trueScale} onClick={() => actions.setTrueScale(!view.trueScale)}>
          True scale
        </button>
      )}
      {view.lba !== undefined && (
        <button type="button" onClick={() => actions.lookLba(undefined)}>
          Full LBA range
        </button>
      )}
      {geometry !== undefined && part !== undefined && !rulerFits(part, geometry) && (
        <button type="button" onClick={showStripes}>
          Show stripes
        </button>
      )}
    </span>
  )
}
