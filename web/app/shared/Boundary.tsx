import { Component, type ReactNode } from 'react'

interface BoundaryProps {
  /** Subject of the sentence: "The charts". */
  readonly subject: string
  readonly children: ReactNode
}

/** When a part of the page fails, shows the error in its place; the rest keeps working. */
export class Boundary extends Component<BoundaryProps, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <div className="broken" role="alert">
        <h2>{this.props.subject} could not be drawn</h2>
        <p>This is a bug in Seekscope, not your trace. The traces stay open and the other parts still work.</p>
        <p className="mono">
          {error.name}: {error.message}
        </p>
        <button
          type="button"
          className="button"
          onClick={() => this.setState({ error: undefined } as { error?: never })}
        >
          Retry
        </button>
      </div>
    )
  }
}
