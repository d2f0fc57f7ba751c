// Regular work beside everything else. Must stay true: a chore that fails is logged and tried again
// later, and the others go on.

export interface Chores {
  /** Resolves when none is running. */
  close(): Promise<void>
}

export interface Chore {
  /** From the end of one turn to the start of the next. */
  readonly everyMs: number
  readonly firstMs?: number
  readonly work: (signal: AbortSignal) => Promise<unknown>
}

export interface RunChoresOptions {
  /** As messages call the one who does them: `the ledger`. */
  readonly doneBy: string
  readonly warn: (fields: object, message: string) => void
  /** Asked before each turn; the turn is left out where it says no. */
  readonly mayRun?: () => boolean
}

export function runChores(chores: readonly Chore[], options: RunChoresOptions): Chores {
  const { doneBy, warn, mayRun = () => true } = options
  const stop = new AbortController()
  const { signal } = stop

  /** The returned function awaits the last turn. */
  function repeat({ everyMs, firstMs = 0, work }: Chore): () => Promise<void> {
    let running: Promise<void> = Promise.resolve()
    let timer: NodeJS.Timeout | undefined
    const turn = async (): Promise<void> => {
      try {
        if (mayRun()) await work(signal)
      } catch (error) {
        warn({ err: error }, `a chore of ${doneBy} failed; it is tried again later`)
      }
      if (!signal.aborted) beginIn(everyMs)
    }
    const beginIn = (ms: number): void => {
      timer = setTimeout(begin, ms)
      timer.unref()
    }
    signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    const begin = (): void => {
      running = turn()
    }
    if (firstMs === 0) begin()
    else beginIn(firstMs)
    return () => running
  }

  const running = chores.map(repeat)
  return {
    async close() {
      stop.abort()
      for (const ended of running) await ended()
    },
  }
}
