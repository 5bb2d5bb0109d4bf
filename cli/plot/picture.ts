import type { PlotFrame } from './frame'
import type { PlotName } from './names'
export async function chartsPicture(
  _f: PlotFrame,
  _n: readonly PlotName[],
  _p: { readonly format: 'svg' | 'png'; readonly dark: boolean },
): Promise<Uint8Array> {
  return new Uint8Array()
}
