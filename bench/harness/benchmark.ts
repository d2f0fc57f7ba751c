// The life of a benchmark: what it opened is closed in reverse whatever happens, at its end, when
// it fails and when it is interrupted. Nothing that it started may outlive it.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { printBars } from './report.ts'
import type { Bar } from './report.ts'

export interface Closable {
  close(): Promise<void>
}

export class OpenItems {
  readonly #items: Closable[] = []

  add<Item extends Closable>(item: Item): Item {
    this.#items.push(item)
    return item
  }

  /** An empty one, removed at the end. */
  async addFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'weir-bench-'))
    this.add({ close: () => rm(folder, { recursive: true, force: true }) })
    // PostgreSQL runs as another user where this one is root.
    await chmod(folder, 0o755)
    return folder
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

/** Prints the bars that the benchmark returns; when one is missed, the exit code says so. */
export async function runBenchmark(
  run: (open: OpenItems) => Promise<readonly Bar[]>,
): Promise<void> {
  const open = new OpenItems()
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => reject(new Error(`Interrupted by ${signal}.`)))
    }
  })
  const running = run(open)
  try {
    if (!printBars(await Promise.race([running, interrupted]))) process.exitCode = 1
  } finally {
    await open.close()
    // Interrupted while it was opening something: that comes to its end, and is closed as well.
    await running.catch(() => {})
    await open.close()
  }
}
