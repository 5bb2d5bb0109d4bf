import { useCopy } from './useCopy'

export interface CopyButtonProps {
  /** A function for text that is built on demand. */
  readonly text: string | (() => string) | undefined
  readonly label?: string
  readonly className?: string
}

/** Copies a text; its label shows for a moment whether that worked. */
export function CopyButton({ text, label = 'Copy', className = 'button' }: CopyButtonProps) {
  const { notice, copy } = useCopy()
  return (
    <button
      type="button"
      className={className}
      disabled={text === undefined}
      onClick={() => text !== undefined && void copy(typeof text === 'string' ? text : text())}
    >
      <span aria-live="polite">{notice ?? label}</span>
    </button>
  )
}
