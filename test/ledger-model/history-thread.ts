// Plays random histories in a thread of its own, so that every core has some.

import { Worker, isMainThread, workerData } from 'node:worker_threads'

import { runHistories } from './run-histories.ts'
import type { HistoriesOptions } from './run-histories.ts'

export type ThreadOptions = Omit<HistoriesOptions, 'progress'>

/** Rejects with what went wrong first. */
export function runHistoriesInThread(options: ThreadOptions): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: options })
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', () => resolve())
  })
}

if (!isMainThread) await runHistories(workerData as ThreadOptions)
