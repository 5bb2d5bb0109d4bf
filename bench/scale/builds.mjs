/** Digests of builds that are made from a real one, with changes at known builds, for the measurement `scale`. */
import { writeFileSync } from 'node:fs'

/** Numbers from 0 to 1 (mulberry32). @param {number} seed */
function seeded(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export const JOBS = 24
const BUILDS = 60
const REPEATS = 3
/**
 * Builds after which IOPS rise, by job; some have no change. @param {number} job @returns {readonly (readonly [number,
 * number])[]}
 */
const changesOf = job =>
  job % 4 === 3
    ? []
    : [
        [15 + (job % 7), 1.08],
        [40 + (job % 5), 1.03],
      ]

/**
 * Writes the digests as JSON lines, and returns the IOPS of all runs, by job, build and repeat.
 * @param {Readonly<Record<string, unknown>> & { readonly digest: string }} row of a run @param {string} file
 */
export function makeBuilds({ digest, ...row }, file) {
  const random = seeded(60)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const { trace, labelSource, ...rest } = JSON.parse(digest)
  /** @type {string[]} */
  const lines = []
  const values = Array.from({ length: JOBS }, (_, job) =>
    Array.from({ length: BUILDS }, (_, build) =>
      Array.from({ length: REPEATS }, (_, repeat) => {
        const level = changesOf(job).reduce((product, [from, ratio]) => (build >= from ? product * ratio : product), 1)
        const iops = 1000 * level * Math.exp(0.01 * normal())
        const label = `build-${build + 1}-r${repeat + 1}`
        const devices = trace.devices.map((/** @type {{ figures: Record<string, number> }} */ device) => ({
          ...device,
          bins: { width: 1, sums: {} },
          figures: { ...device.figures, iops },
        }))
        const made = { ...rest, label, labelSource: { ...labelSource, label }, trace: { ...trace, devices } }
        const sha256 = lines.length.toString(16).padStart(64, '0')
        const columns = {
          run: label,
          sha256,
          position: 0,
          workload: `job-${job}`,
          scheduler: job % 2 ? 'none' : 'bfq',
          build: String(build + 1),
          iops,
        }
        lines.push(JSON.stringify({ ...row, ...columns, digest: JSON.stringify(made) }))
        return iops
      }),
    ),
  )
  writeFileSync(file, `${lines.join('\n')}\n`)
  return values
}
