import { useState } from 'react'
import { ResultsWithText } from '../../../compare/reading/ResultsWithText'
import { useShownResults } from '../../../compare/results/useResults'
import type { PageResults } from '../../../state/page'
import type { MatrixLayout } from '../../../state/types'
import { useActions } from '../../context'
import { Dialog, DialogFoot } from '../Dialog'

/** The tables of a text that also has events of a trace. */
export function BenchmarkResults({ results }: { readonly results: PageResults }) {
  const { close } = useActions()
  const [layout, setLayout] = useState<MatrixLayout>({})
  const shown = useShownResults(results, layout)
  return (
    <Dialog title="Benchmark results in the same file" wide onClose={close}>
      <ResultsWithText results={results} shown={shown} title="results" layout={layout} setLayout={setLayout} />
      <DialogFoot onClose={close} />
    </Dialog>
  )
}
