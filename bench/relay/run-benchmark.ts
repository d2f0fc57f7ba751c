// The life of a benchmark: what it opened is closed in reverse whatever happens, at its end, when
// it fails and when it is interrupted. Nothing that it started may outlive it.

export interface Closable {
  close(): Promise<void>
}

export class OpenItems {
  readonly #items: Closable[] = []

  add<Item extends Closable>(item: Item): Item {
    this.#items.push(item)
    return item
  }

  /** The others are closed even when one cannot be. */
  async close(): Promise<void> {
    const faults: unknown[] = []
    for (const item of this.#items.splice(0).reverse()) {
      await item.close().catch((error: unknown) => faults.push(error))
    }
    if (faults.length > 0) throw new AggregateError(faults, 'Not everything could be closed.')
  }
}

/** Runs a benchmark that returns whether all its bars were met, and sets the exit code by that. */
export async function runBenchmark(run: (open: OpenItems) => Promise<boolean>): Promise<void> {
  const open = new OpenItems()
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`Interrupted by ${signal}.`)))
    }
  })
  const running = run(open)
  try {
    const isMet = await Promise.race([running, interrupted])
    if (!isMet) process.exitCode = 1
  } finally {
    await open.close()
    // Interrupted while it was opening something: that comes to its end, and is closed as well.
    await running.catch(() => {})
    await open.close()
  }
}
