// The ledger's process, seen from the one that begins it. For a backlog it takes the lowest priority there is,
// which the kernel lets no ordinary user take back: behind the backlog, and where the machine leaves it nothing, it is
// begun anew. Must stay true: there is never more than one, and it may be ended at any line.

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

import type { BudgetReport } from '../core/budget-state.ts'
import { WeirError } from '../core/weir-error.ts'
import type { Config } from '../config/config.ts'
import { readProcessTimes, watchForStarving } from './give-way.ts'
import type { ProcessTimes } from './give-way.ts'
import type { FromLedger, LedgerReport, LedgerStart, ToLedger } from './ledger-process.ts'
import { countersOf, mergeSamples } from './meter.ts'
import type { MetricSample } from './meter.ts'
import { whenEnded } from './when-ended.ts'

export interface LedgerProcess {
  readonly firstReport: Promise<LedgerReport>
  onReport(use: (report: LedgerReport) => void): void
  /** Whether anybody calls: it rests for callers, and only for them. */
  tellCallers(hasCallers: boolean): void
  drain(): Promise<void>
}

export interface LedgerProcessOptions {
  readonly config: Config
  readonly log: { warn(message: string): void }
  readonly say: (line: string) => void
  readonly onBudgets: (report: BudgetReport) => void
  /** Hears the number of each process that is begun, and null when it has ended. */
  readonly onProcess?: (pid: number | null) => void
  readonly readTimes?: (pid: number) => ProcessTimes
}

const GOOD_ORDER = 'exit code 0'

export function openLedgerProcess(options: LedgerProcessOptions): LedgerProcess {
  const { config, log, say, onBudgets, onProcess = () => {} } = options
  const { readTimes = readProcessTimes } = options
  const uses: ((report: LedgerReport) => void)[] = []
  let watch = { close: (): void => {} }
  let isEnding = false
  let isRestarting = false
  let hasCallers = true
  /** Counted by processes that are no more, and by all together as last reported. */
  let past: readonly MetricSample[] = []
  let counted: readonly MetricSample[] = []
  let restarting = Promise.resolve()
  let current = begin(true)

  function begin(mayIdle: boolean): Life {
    const life = beginLife({ kind: 'start', config, mayIdle, hasCallers }, (message) => {
      if (message.kind === 'say') say(message.line)
      else if (message.kind === 'idle') watchTimes(life)
      else if (message.kind === 'caught-up') restart(() => life.drain(), true)
      else if (message.kind === 'budgets') onBudgets(message.report)
      else report(message)
    })
    onProcess(life.pid)
    void life.ended.then(() => onProcess(null))
    return life
  }

  function report(message: LedgerReport): void {
    counted = mergeSamples([past, message.samples])
    for (const use of uses) use({ ...message, samples: counted })
  }

  /** One that is being ended may have said something before: its number is soon nobody's. */
  function watchTimes(life: Life): void {
    const { pid } = life
    if (isEnding || isRestarting || pid === null) return
    watch = watchForStarving(
      () => readTimes(pid),
      () => {
        log.warn('The machine leaves the ledger no time; it goes on at a higher priority.')
        // It might not come to its end for minutes.
        restart(() => life.cutOff(), false)
      },
    )
  }

  function restart(end: () => Promise<void>, mayIdle: boolean): void {
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
    firstReport: new Promise((resolve) => void uses.push(resolve)),
    onReport: (use) => void uses.push(use),
    tellCallers: (areThere) => {
      if (areThere === hasCallers) return
      hasCallers = areThere
      current.tell({ kind: 'callers', hasCallers })
    },
    drain: async () => {
      isEnding = true
      watch.close()
      await restarting
      await current.drain()
    },
  }
}

/**
 * It works on one core, beside callers who want the other: without the engine's helpers, which would take that one.
 * Callers' p99 beside a backlog was 2.5 to 3 ms with them. With little room for young objects a collection is over
 * within a millisecond; with 16 MB it took seven, and work in between cannot rest.
 */
export const LEDGER_FLAGS: readonly string[] = [
  '--single-threaded',
  '--v8-pool-size=0',
  '--min-semi-space-size=1',
  '--max-semi-space-size=1',
]

function forkLedger(): ChildProcess {
  return fork(fileURLToPath(new URL('./ledger-process.ts', import.meta.url)), [], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
    execArgv: [...process.execArgv, ...LEDGER_FLAGS],
  })
}

/** One process, from its beginning to its end. */
interface Life {
  readonly pid: number | null
  /** All that it said has been heard by then. */
  readonly ended: Promise<void>
  tell(message: ToLedger): void
  /** It stores what is in the journals by now, and its last report tells all that it counted. */
  drain(): Promise<void>
  cutOff(): Promise<void>
}

function beginLife(start: LedgerStart, hear: (message: FromLedger) => void): Life {
  const child = forkLedger()
  let isCutOff = false
  const ended = whenEnded(child).then((reason) => {
    if (reason !== GOOD_ORDER && !isCutOff) fail(reason)
  })
  // One that died between two messages is dealt with by its end, not here.
  const tell = (message: ToLedger): void => {
    if (child.connected) child.send(message, () => {})
  }
  child.on('message', hear)
  tell(start)
  return {
    pid: child.pid ?? null,
    ended,
    tell,
    drain: () => {
      tell({ kind: 'drain' })
      return ended
    },
    cutOff: () => {
      isCutOff = true
      child.kill('SIGKILL')
      return ended
    },
  }
}

/** Without it the process that began it is of no use: it ends, and the supervisor starts both afresh. */
function fail(reason: string): void {
  setImmediate(() => {
    throw new WeirError('internal', `The process that stores ended (${reason}).`)
  })
}
