// The ledger's own process: journals in, priced records out. It reports how it is doing and ends when
// told to, after what was in the journals by then is stored. Must stay true: no two ledgers work on the same
// journals, nothing is priced before the prices are known, and it does not outlive the process that began it.

import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'

import type { BudgetReport } from '../core/budget-state.ts'
import { createBreathe } from '../core/breathe.ts'
import { systemClock } from '../core/clock.ts'
import { openJournalReader } from '../journal/reader.ts'
import { claimJournals } from '../journal/slots.ts'
import { createBudgetWatch } from '../ledger/budget-watch.ts'
import { openLedger } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openSettingsStore, openUsageStore } from '../store/open-store.ts'
import { CATCH_UP_BYTES_MIN, CAUGHT_UP_BYTES_MAX, createCatchUp } from '../ledger/catch-up.ts'
import type { Config } from '../config/config.ts'
import { createDeadLetterFile } from '../ledger/dead-letter-file.ts'
import { giveWay } from './give-way.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { openChores } from '../ledger/ledger-chores.ts'
import { createMeter } from './meter.ts'
import type { MetricSample } from './meter.ts'
import { openPatiently } from '../store/open-patiently.ts'
import { createConfiguredBook, priceDataAt } from '../pricing/service/configured-book.ts'
import { openPriceWatch } from '../pricing/service/price-watch.ts'
import { createSlugOf } from '../config/slug-of.ts'

/** Told first, and once. */
export interface LedgerStart {
  readonly kind: 'start'
  readonly config: Config
  /** False where the machine would leave it nothing. */
  readonly mayIdle: boolean
  readonly hasCallers: boolean
}

export type ToLedger =
  | LedgerStart
  | { readonly kind: 'callers'; readonly hasCallers: boolean }
  | { readonly kind: 'drain' }

export interface LedgerReport {
  readonly kind: 'report'
  /** Why the ledger is behind, in a sentence; null while all is well. */
  readonly fault: string | null
  readonly samples: readonly MetricSample[]
}

export type FromLedger =
  | LedgerReport
  | { readonly kind: 'say'; readonly line: string }
  | { readonly kind: 'budgets'; readonly report: BudgetReport }
  /** It runs when nobody else wants the core: somebody has to see that it does run. */
  | { readonly kind: 'idle' }
  /** The backlog is stored; it wants to be begun anew at its ordinary priority, which it cannot take back itself. */
  | { readonly kind: 'caught-up' }

const REPORT_MS = 500
const CLAIM_MS = 250
const CLAIMED_ELSEWHERE = 'Another ledger still stores these journals; this one waits for it.'

process.title = 'weir storing'
// Ctrl-C reaches every process of a terminal; when to end is said by the one that began this.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
// Its successor waits for the journals, and a batch may be cut at any line: left alone, it ends at once.
process.once('disconnect', () => process.exit(1))
const starting = Promise.withResolvers<LedgerStart>()
let hasCallers = true
const ending = new AbortController()
process.on('message', (message: ToLedger) => {
  if (message.kind !== 'drain') ({ hasCallers } = message)
  if (message.kind === 'start') starting.resolve(message)
  if (message.kind === 'drain') ending.abort()
})
giveWay('low')

const { config, mayIdle } = await starting.promise
const { dataDir } = config
const clock = systemClock
const rest = createBreathe(clock)
const breathe = (): void => {
  if (hasCallers) rest()
}
const meter = createMeter()
const log = pino({ name: 'ledger', level: config.log.level }, pino.destination(2))
const warn = (fields: object, message: string): void => log.warn(fields, message)
const say = (line: string): void => tell({ kind: 'say', line })
const catchUp = createCatchUp({ clock, say })
let fault: string | null = null
let ledger: Ledger | null = null
let canIdle = mayIdle
let isIdle = false

function tell(message: FromLedger, told: () => void = () => {}): void {
  if (process.connected) process.send?.(message, told)
}

function report(told?: () => void): void {
  const status = ledger?.status()
  // Before its first round the ledger does not know how much waits.
  if (status !== undefined && status.completeness !== null) catchUp.look(status.lagBytes)
  const samples = meter.samples()
  tell({ kind: 'report', fault: fault ?? status?.lastError ?? null, samples }, told)
}

/** Fresh calls are stored within seconds on a busy machine too; only a backlog waits until nobody wants the core. */
function choosePriority(lagBytes: number): void {
  if (!isIdle && canIdle && lagBytes >= CATCH_UP_BYTES_MIN) {
    isIdle = giveWay('idle')
    // Where it cannot be had, there is nothing to be begun anew for.
    canIdle = isIdle
    if (isIdle) tell({ kind: 'idle' })
  } else if (isIdle && lagBytes <= CAUGHT_UP_BYTES_MAX) {
    isIdle = false
    tell({ kind: 'caught-up' })
  }
}

/** Null when it was told to end before the journals were free. */
async function claimPatiently(dir: string): Promise<(() => void) | null> {
  for (;;) {
    const release = claimJournals(dir)
    if (release !== null || ending.signal.aborted) return release
    if (fault === null) say(CLAIMED_ELSEWHERE)
    fault = CLAIMED_ELSEWHERE
    await pause(CLAIM_MS)
  }
}

/** Opened from top to bottom, closed in reverse. */
async function work(): Promise<void> {
  const dir = journalDir(dataDir)
  const release = await claimPatiently(dir)
  if (release === null) return
  const patience = {
    clock,
    signal: ending.signal,
    tell: (reason: string) => {
      fault = reason
      say(reason)
    },
  }
  const store = await openPatiently(() => openUsageStore({ dataDir, clock, breathe }), patience)
  const settings = await openPatiently(
    () => openSettingsStore({ dataDir, clock, breathe }),
    patience,
  )
  const prices = await openPatiently(() => openPrices(settings), patience)
  const budgets = createBudgetWatch({
    budgets: settings.budgets,
    store,
    slugOf: createSlugOf(config),
    clock,
    meter,
    warn,
    tell: (budgetReport) => tell({ kind: 'budgets', report: budgetReport }),
  })
  await openPatiently(() => budgets.before(), patience)
  const reader = openJournalReader({ dir, breathe })
  const deadLetters = createDeadLetterFile(dataDir)
  const options = {
    reader,
    store,
    deadLetters,
    book: prices.book,
    budgets,
    clock,
    meter,
    log,
    breathe,
  }
  ledger = openLedger({ ...options, ...config.ledger, onLag: choosePriority })
  const chores = openChores({ config, ledger, store, settings, clock, meter, warn })
  fault = null
  await aborted(ending.signal)
  await chores.close()
  await ledger.close()
  await reader.close()
  prices.close()
  await settings.close()
  await store.close()
  release()
}

function openPrices(settings: Awaited<ReturnType<typeof openSettingsStore>>) {
  return openPriceWatch({
    prices: settings.prices,
    createBook: (told) => createConfiguredBook(told, config),
    dataAt: priceDataAt,
    clock,
    meter,
    warn,
  })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const timer = setInterval(() => report(), REPORT_MS)
report()
await work()
clearInterval(timer)
report(() => process.exit(0))
