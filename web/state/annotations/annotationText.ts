/** Annotations as plain text for mail: ASCII, 72 columns. */
import { asciiText, wrapped } from '../../lib/text/plainText'
import { seconds } from '../../link/values'
import type { NumberedAnnotation } from './annotations'

const WIDTH = 72

/** `B (kernel 6.12) at 1.25 s, sector 4096`. */
function placeText({ owner: run, at: start, to, lba, author, theirs }: NumberedAnnotation): string {
  const time = to === undefined ? `at ${seconds(start)} s` : `from ${seconds(start)} to ${seconds(to)} s`
  const byline = author === undefined ? '' : `, by ${author}`
  return `${run.letter} (${run.label}) ${time}${lba === undefined ? '' : `, sector ${lba}`}${byline}${theirs ? ', from the link' : ''}:`
}

/** Numbered, each with run, time and sector; empty without any. Ends with a line feed. */
export function annotationsText(list: readonly NumberedAnnotation[]): string {
  if (list.length === 0) return ''
  const items = list.flatMap(annotation => {
    return [
      ...wrapped(asciiText(`${annotation.number}. ${placeText(annotation)}`), WIDTH, '    '),
      ...indented(asciiText(annotation.text)),
    ]
  })
  return `${['Annotations', '', ...items].join('\n')}\n`
}

const indented = (text: string): readonly string[] => wrapped(text, WIDTH - 4, '').map(line => `    ${line}`)
