// The ledger's thread, seen from the process it works in. For a backlog it takes the lowest priority there is, which
// the kernel lets no ordinary user take back: behind the backlog, and where the machine leaves it nothing, the
// thread is begun anew. Must stay true: there is never more than one, and a thread may be ended at any line.

import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

import type { BudgetReport } from '../core/budget-state.ts'
import { WeirError } from '../core/weir-error.ts'
import type { Config } from './config.ts'
import { readThreadTimes, watchForStarving } from './ledger-priority.ts'
import type { ThreadTimes } from './ledger-priority.ts'
import type { FromLedgerThread, LedgerReport, LedgerThreadData } from './ledger-thread.ts'
import { countersOf, mergeSamples } from './meter.ts'
import type { MetricSample } from './meter.ts'

/**
 * Objects of a batch live until it is stored, so each collection of the young ones moves most of them; and though told
 * to be single-threaded, the engine has a helper do it, which gives way to nobody. With the room that answers of the API
 * need a helper kept a core for 20 ms at a time, with little room for one or two: callers beside a backlog hardly notice.
 * It costs the ledger some 3 µs a call.
 */
export const LEDGER_THREAD_FLAGS: readonly string[] = [
  '--min-semi-space-size=2',
  '--max-semi-space-size=2',
]

export interface LedgerThread {
  readonly firstReport: Promise<LedgerReport>
  onReport(use: (report: LedgerReport) => void): void
  drain(): Promise<void>
}

export interface LedgerThreadOptions {
  readonly config: Config
  readonly log: { warn(message: string): void }
  readonly say: (line: string) => void
  readonly onBudgets: (report: BudgetReport) => void
  readonly readTimes?: (thread: string) => ThreadTimes
}

export function openLedgerThread(options: LedgerThreadOptions): LedgerThread {
  const { config, log, say, onBudgets, readTimes = readThreadTimes } = options
  const uses: ((report: LedgerReport) => void)[] = []
  let watch = { close: (): void => {} }
  let isEnding = false
  let isRestarting = false
  /** Counted by threads that are no more, and by all together as last reported. */
  let past: readonly MetricSample[] = []
  let counted: readonly MetricSample[] = []
  let restarting = Promise.resolve()
  // Read when a thread begins: this one, which answers the API, keeps what it was started with.
  for (const flag of LEDGER_THREAD_FLAGS) setFlagsFromString(flag)
  let current = begin(true)

  function begin(mayIdle: boolean): { worker: Worker; ended: Promise<void> } {
    const workerData: LedgerThreadData = { config, mayIdle }
    const worker = new Worker(new URL('./ledger-thread.ts', import.meta.url), { workerData })
    worker.on('message', (message: FromLedgerThread) => {
      if (message.kind === 'say') say(message.line)
      else if (message.kind === 'idle') watchThread(message.thread)
      else if (message.kind === 'caught-up') restart(drainCurrent, true)
      else if (message.kind === 'budgets') onBudgets(message.report)
      else report(message)
    })
    // Without its ledger the process is of no use: it ends, and the supervisor starts it afresh.
    worker.on('error', (cause) => {
      setImmediate(() => {
        throw new WeirError('internal', 'The ledger thread failed.', { cause })
      })
    })
    return { worker, ended: new Promise((resolve) => worker.once('exit', () => resolve())) }
  }

  function report(message: LedgerReport): void {
    counted = mergeSamples([past, message.samples])
    for (const use of uses) use({ ...message, samples: counted })
  }

  /** A thread that is being ended may have said something before: its number is soon nobody's. */
  function watchThread(thread: string): void {
    if (isEnding || isRestarting) return
    watch = watchForStarving(
      () => readTimes(thread),
      () => {
        log.warn('The machine leaves the ledger no time; it goes on at a higher priority.')
        // It might not come to its end for minutes.
        restart(() => current.worker.terminate(), false)
      },
    )
  }

  /** Its last report tells all that it counted. */
  async function drainCurrent(): Promise<void> {
    current.worker.postMessage('drain')
    await current.ended
  }

  function restart(end: () => Promise<unknown>, mayIdle: boolean): void {
    watch.close()
    if (isEnding || isRestarting) return
    isRestarting = true
    restarting = end().then(() => {
      isRestarting = false
      past = countersOf(counted)
      current = begin(mayIdle)
    })
  }

  return {
    firstReport: new Promise((resolve, reject) => {
      uses.push(resolve)
      current.worker.once('error', reject)
    }),
    onReport: (use) => void uses.push(use),
    drain: async () => {
      isEnding = true
      watch.close()
      await restarting
      await drainCurrent()
    },
  }
}
