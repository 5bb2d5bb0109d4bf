/**
 * From runs, labels and layout to the matrix: the arrangement at once, its figures when the engine has answered. No
 * metric, threshold or rule of significance is known on this side: verdicts are the engine's, here as in the table
 * of differences.
 */
import { useEffect, useMemo, useState } from 'react'
import { asEngineError } from '../../engine/errors'
import type { EngineError, KnownComparison, MatrixAnswer, MatrixAxes, MatrixQuery } from '../../engine/protocol'
import { comparisonsOf } from '../../state/comparing/comparing'
import { described, digestOf } from '../../state/comparing/digests'
import type { LabelTable } from '../../state/runs/labels'
import type { ComparedRuns, MatrixLayout, Run } from '../../state/types'
import { axesOf, baseOf, placeRuns } from './layout'
import { arrange, cellsOf, type Filling, type MatrixArrangement, type MatrixBase } from './matrix'

export interface MatrixInput {
  readonly runs: readonly Run[]
  readonly labels: LabelTable
  readonly layout: MatrixLayout
}

export interface Arranged {
  /** Runs that have been read or are being read; failed ones are left out. */
  readonly readable: readonly Run[]
  readonly axes: MatrixAxes
  readonly arrangement: MatrixArrangement
  readonly base: MatrixBase | undefined
}

export function useArrangement({ runs, labels, layout }: MatrixInput): Arranged {
  return useMemo(() => {
    const readable = runs.filter(run => run.status.kind !== 'failed')
    const axes = axesOf(labels, layout)
    const arrangement = arrange(placeRuns(readable, labels, axes))
    return {
      readable,
      axes,
      arrangement,
      base: baseOf({ arrangement, axes, base: layout.base, baseline: runs.find(run => run.baseline)?.id }),
    }
  }, [runs, labels, layout])
}

/** An arrangement with the figures of its cells. */
export interface MatrixFigures extends Arranged {
  readonly filling: Filling
  readonly answer: MatrixAnswer
}

/** Comparisons that a snapshot holds: of a small one, the figures come without what a comparison needs. */
function knownComparisons(compared: ComparedRuns | undefined, runs: readonly Run[]): readonly KnownComparison[] {
  if (compared === undefined || !runs.some(run => run.snapshot && !run.snapshot.pieces)) return []
  const { document } = compared
  const placesOf = (side: number) =>
    (document.sides[side]?.runs ?? []).map(run => runs.findIndex(r => r.id === compared.runs[run]))
  return comparisonsOf(document).map(({ side, figures }) => ({
    base: placesOf(document.baseline),
    other: placesOf(side),
    figures,
  }))
}

/** The error of snapshots of size XS: cells need the figures of all runs with their errors, which these lack. */
const BRIEF: EngineError = {
  code: 'not-in-snapshot',
  message: 'A link of size XS does not contain what the matrix is computed of.',
  remedy: 'Drop the traces, or ask for a link of size S or larger.',
}

async function figuresOf(arranged: Arranged, compared: ComparedRuns | undefined): Promise<MatrixFigures | undefined> {
  const runs = arranged.readable.filter(run => run.status.kind === 'ready')
  const client = runs[0]?.client
  if (client === undefined) return undefined
  if (runs.some(run => run.snapshot?.brief)) throw BRIEF
  const ids = runs.map(run => run.id)
  const query = cellsOf(arranged.arrangement, arranged.base, ids)
  const traces = await Promise.all(runs.map(digestOf))
  const comparisons = knownComparisons(compared, runs)
  // Figures need the errors that were estimated from a run's pieces, not the pieces: those are most of a digest.
  const withoutPieces = (digest: (typeof traces)[number]) => ({
    ...digest,
    devices: digest.devices.map(device => ({
      ...device,
      bins: { ...device.bins, ...(device.bins.errors && { sums: {} }) },
    })),
  })
  const full: MatrixQuery = {
    ...query,
    runs: runs.map((run, i) => ({
      ...described(run, runs),
      trace: withoutPieces(traces[i] as (typeof traces)[number]),
    })),
    ...(comparisons.length > 0 && { known: comparisons }),
  }
  return {
    ...arranged,
    filling: { arrangement: arranged.arrangement, query, ids },
    answer: await client.query('compareMatrix', full),
  }
}

/** Figures of the arrangement; the previous ones stay until the engine has answered. */
export function useMatrixFigures(
  arranged: Arranged,
  compared: ComparedRuns | undefined,
): { figures?: MatrixFigures; error?: EngineError } {
  const [state, setState] = useState<{ figures?: MatrixFigures; error?: EngineError }>({})
  useEffect(() => {
    let current = true
    figuresOf(arranged, compared).then(
      figures => current && setState(figures ? { figures } : {}),
      reason => current && setState({ error: asEngineError(reason) }),
    )
    return () => {
      current = false
    }
  }, [arranged, compared])
  return state
}
