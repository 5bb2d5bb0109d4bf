/** Keys of playback. The view handles them itself: it is a dialog, and the page's commands rest while one is open. */
import type { Player } from '../../charts/playback/player'

export interface PlayKey {
  readonly label: string
  /** `KeyboardEvent.key`, lower case; `shift+` in front where it counts. */
  readonly keys: readonly string[]
  readonly shown: readonly string[]
  readonly run: (player: Player) => void
}

/** Shift and an arrow: this share of the range. */
const JUMP = 0.05

const jump = (player: Player, steps: number) => {
  const { range } = player
  player.seek((player.frame()?.t ?? range.t0) + steps * JUMP * (range.t1 - range.t0))
}

export const PLAY_KEYS: readonly PlayKey[] = [
  {
    label: 'Play or pause',
    keys: [' ', 'k'],
    shown: ['Space', 'K'],
    run: player => player.play(!player.state().playing),
  },
  { label: 'Next event', keys: ['arrowright', '.'], shown: ['→', '.'], run: player => void player.step(1) },
  { label: 'Previous event', keys: ['arrowleft', ','], shown: ['←', ','], run: player => void player.step(-1) },
  { label: 'A twentieth later', keys: ['shift+arrowright'], shown: ['Shift', '→'], run: player => jump(player, 1) },
  { label: 'A twentieth earlier', keys: ['shift+arrowleft'], shown: ['Shift', '←'], run: player => jump(player, -1) },
  { label: 'Slower', keys: ['[', '-'], shown: ['[', '-'], run: player => player.faster(-1) },
  { label: 'Faster', keys: [']', '+', '='], shown: [']', '+'], run: player => player.faster(1) },
  { label: 'Repeat', keys: ['l'], shown: ['L'], run: player => player.setLoop(!player.state().loop) },
  { label: 'To the start', keys: ['home'], shown: ['Home'], run: player => player.seek(player.range.t0) },
  { label: 'To the end', keys: ['end'], shown: ['End'], run: player => player.seek(player.range.t1) },
]
