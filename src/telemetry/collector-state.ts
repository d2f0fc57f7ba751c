// Whether the collector takes what it is sent: said when that changes, not each time.

export interface CollectorState {
  /** Takes the outcome of an export; null where it was accepted, else why not. */
  report(error: Error | undefined): string | null
}

export interface CollectorStateOptions {
  readonly url: string
  readonly warn: (fields: object, message: string) => void
}

export function createCollectorState({ url, warn }: CollectorStateOptions): CollectorState {
  let isAway = false
  return {
    report(error) {
      const reason = error === undefined ? null : describe(error)
      const wasAway = isAway
      isAway = reason !== null
      if (isAway && !wasAway) {
        warn({ url, reason }, 'The collector takes no telemetry; further failures are counted.')
      }
      if (!isAway && wasAway) warn({ url }, 'The collector takes telemetry again.')
      return reason
    },
  }
}

/** Without the answer's body, which may quote what was sent. */
function describe(error: Error): string {
  const { code } = error as { readonly code?: unknown }
  const known = typeof code === 'string' || typeof code === 'number' ? String(code) : ''
  return [known, error.message].filter((text) => text !== '').join(' ') || error.name
}
