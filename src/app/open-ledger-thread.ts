// The ledger's thread, seen from the process it works in. It begins at the lowest priority there is; where that
// leaves it nothing it is ended, which a ledger survives at any line, and begun anew at a higher one. A thread that
// may not be raised by the kernel's rules can always be begun anew.

import { Worker } from 'node:worker_threads'

import { WeirError } from '../core/weir-error.ts'
import type { Config } from './config.ts'
import { readThreadTimes, watchForStarving } from './ledger-priority.ts'
import type { LedgerPriority, ThreadTimes } from './ledger-priority.ts'
import type { FromLedgerThread, LedgerReport, LedgerThreadData } from './ledger-thread.ts'

export interface LedgerThread {
  readonly firstReport: Promise<LedgerReport>
  onReport(use: (report: LedgerReport) => void): void
  drain(): Promise<void>
}

export interface LedgerThreadOptions {
  readonly config: Config
  readonly log: { warn(message: string): void }
  readonly say: (line: string) => void
  readonly readTimes?: (thread: string) => ThreadTimes
}

export function openLedgerThread(options: LedgerThreadOptions): LedgerThread {
  const { config, log, say, readTimes = readThreadTimes } = options
  const uses: ((report: LedgerReport) => void)[] = []
  let watch = { close: (): void => {} }
  let restarting = Promise.resolve()
  let current = begin('idle')

  function begin(priority: LedgerPriority): { worker: Worker; ended: Promise<void> } {
    const workerData: LedgerThreadData = { config, priority }
    const worker = new Worker(new URL('./ledger-thread.ts', import.meta.url), { workerData })
    worker.on('message', (message: FromLedgerThread) => {
      if (message.kind === 'say') say(message.line)
      else if (message.kind === 'idle') watchThread(message.thread)
      else for (const use of uses) use(message)
    })
    // Without its ledger the process is of no use: it ends, and the supervisor starts it afresh.
    worker.on('error', (cause) => {
      setImmediate(() => {
        throw new WeirError('internal', 'The ledger thread failed.', { cause })
      })
    })
    return { worker, ended: new Promise((resolve) => worker.once('exit', () => resolve())) }
  }

  function watchThread(thread: string): void {
    watch = watchForStarving(
      () => readTimes(thread),
      () => {
        log.warn('The machine leaves the ledger no time; it goes on at a higher priority.')
        restarting = restart()
      },
    )
  }

  async function restart(): Promise<void> {
    await current.worker.terminate()
    current = begin('low')
  }

  return {
    firstReport: new Promise((resolve, reject) => {
      uses.push(resolve)
      current.worker.once('error', reject)
    }),
    onReport: (use) => void uses.push(use),
    drain: async () => {
      watch.close()
      await restarting
      current.worker.postMessage('drain')
      await current.ended
    },
  }
}
