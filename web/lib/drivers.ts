/** Facts about commands of drivers (NVMe, SCSI) in words. */
import type { DriverCommands, LogicalBlock } from '../engine/generated/protocol'

/** Formatting of counts and durations: `typographic` or `ascii` of `lib/format`. */
interface CommandWords {
  readonly counted: (n: number, singular: string) => string
  readonly duration: (ns: number) => string
}

/** The sizes of logical blocks and where they are known from; disks are named only where sizes differ. */
function blockFacts(blocks: readonly LogicalBlock[]): string[] {
  const sizes = ({ bytes, from }: LogicalBlock) =>
    `logical block ${bytes} bytes, ${from === 'assumed' ? from : `from ${from}`}`
  const kinds = [...new Set(blocks.map(sizes))]
  const disks = (kind: string) => blocks.filter(block => sizes(block) === kind).map(block => block.device)
  return kinds.map(kind => (kinds.length === 1 ? kind : `${kind} (${disks(kind).join(', ')})`))
}

/** Facts about the commands in words: their number, what happened to them, and what they add to the trace. */
export function driverFacts(drivers: DriverCommands, { counted, duration }: CommandWords): string[] {
  const commands = [
    drivers.nvme > 0 ? counted(drivers.nvme, 'nvme command') : undefined,
    drivers.scsi > 0 ? counted(drivers.scsi, 'scsi command') : undefined,
    drivers.mmc ? counted(drivers.mmc, 'mmc command') : undefined,
  ]
  const { mean_ns, longest_ns } = drivers
  const facts = [
    ...commands,
    drivers.nvme + drivers.scsi + (drivers.mmc ?? 0) === 0
      ? undefined
      : drivers.requests
        ? 'shown as requests'
        : 'counted next to the block events',
    ...blockFacts(drivers.logical_blocks ?? []),
    mean_ns === undefined || longest_ns === undefined
      ? undefined
      : `mean ${duration(mean_ns)}, longest ${duration(longest_ns)}`,
    drivers.failed > 0 ? `${counted(drivers.failed, 'error')}` : undefined,
    drivers.refused > 0 ? `${drivers.refused} issued again` : undefined,
    drivers.timed_out > 0 ? counted(drivers.timed_out, 'timeout') : undefined,
    drivers.unmatched > 0 ? `${drivers.unmatched} without start` : undefined,
    drivers.undecoded > 0 ? `${drivers.undecoded} not decoded in the text` : undefined,
  ]
  return facts.filter(fact => fact !== undefined)
}
