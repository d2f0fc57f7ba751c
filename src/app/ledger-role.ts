// The ledger process: journals in, priced records out, and alerts; at a lower priority than
// callers. Must stay true: no two ledgers work on the same journals, and nothing is priced before
// the prices are known.

import { getPriority, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

import type { BudgetReport } from '../core/budget-state.ts'
import { openJournalReader } from '../journal/reader.ts'
import { claimJournals } from '../journal/slots.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { createBudgetWatch } from '../ledger/budget-watch.ts'
import { createCatchUp } from '../ledger/catch-up.ts'
import { createDeadLetterFile } from '../ledger/dead-letter-file.ts'
import { openLedger } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { runChores } from '../ledger/chores.ts'
import { isCaughtUp, listLedgerChores } from '../ledger/ledger-chores.ts'
import { listSharedChores } from '../ledger/shared-chores.ts'
import { createSlugOf } from '../config/slug-of.ts'
import { isShared, toSettingsPlace, toUsagePlace } from '../config/store-places.ts'
import { createConfiguredBook, priceDataAt } from '../pricing/service/configured-book.ts'
import { openDailyUpdate } from '../pricing/service/daily-update.ts'
import { openPriceWatch } from '../pricing/service/price-watch.ts'
import { openPatiently } from '../store/open-patiently.ts'
import { openSettingsStore, openLedgerStore } from '../store/open-store.ts'
import type { LedgerStore, SettingsStore } from '../store/open-store.ts'
import { openAlertDispatch } from './alert-dispatch.ts'
import type { RoleOptions, RunningRole } from './roles.ts'
import { readBudgetCopy } from './settings-copy/budget-copy.ts'
import { CopyWriter } from './settings-copy/copy-writer.ts'

export interface LedgerRoleOptions extends RoleOptions {
  readonly onBudgets: (report: BudgetReport) => void
  /** Called when the reason why the ledger is behind changes; null while all is well. */
  readonly onFault: (fault: string | null) => void
}

/** Beside callers on a busy machine it still gets a tenth of a core. */
const NICENESS = 10
const STATUS_MS = 500
const CLAIM_MS = 250
const CLAIMED_ELSEWHERE = 'Another ledger still stores these journals; this one waits for it.'

interface Stores {
  readonly ledgerStore: LedgerStore
  readonly settings: SettingsStore
}

interface Work {
  /** Null until the journals and the prices are open. */
  ledger: Ledger | null
  waitsFor: string | null
}

export async function runLedgerRole(options: LedgerRoleOptions): Promise<RunningRole> {
  const { config, clock, signal, say, onFault } = options
  setPriority(Math.max(getPriority(), NICENESS))
  const patience = { clock, signal, tell: createWaitNotice(options) }
  const ledgerStore = await openPatiently(
    () => openLedgerStore({ ...toUsagePlace(config), clock }),
    patience,
  )
  const settings = await openPatiently(
    () => openSettingsStore({ ...toSettingsPlace(config), clock }),
    patience,
  )
  const alerts = await openAlertDispatch(options, ledgerStore.book)
  const catchUp = createCatchUp({ clock, say })
  const work: Work = { ledger: null, waitsFor: 'The ledger has not started yet.' }
  // Not awaited: the role is ready while it waits for the journals. A failure ends the process.
  const working = store(options, { ledgerStore, settings }, work)
  let fault: string | null | undefined
  const timer = setInterval(look, STATUS_MS)
  look()

  function look(): void {
    const status = work.ledger?.status()
    // Before its first round the ledger does not know how much waits.
    if (status !== undefined && status.completeness !== null) catchUp.look(status.lagBytes)
    const now = work.waitsFor ?? status?.lastError ?? null
    if (now === fault) return
    fault = now
    onFault(now)
  }

  async function close(): Promise<void> {
    // A batch is not cut.
    await Promise.all([working, alerts.close()])
    clearInterval(timer)
    await settings.close()
    await ledgerStore.close()
  }
  let closing: Promise<void> | null = null
  return { drain: () => (closing ??= close()) }
}

/** Until the process is to end. Opened from top to bottom, closed in reverse. */
async function store(options: LedgerRoleOptions, stores: Stores, work: Work): Promise<void> {
  const { config, clock, meter, log, signal } = options
  const { ledgerStore, settings } = stores
  const warn = (fields: object, message: string): void => log.warn(fields, message)
  const dir = journalDir(config.dataDir)
  const release = await claimPatiently(dir, options, work)
  if (release === null) return
  const tell = (reason: string): void => {
    work.waitsFor = reason
    options.say(reason)
  }
  const patience = { clock, signal, tell }
  const prices = await openPatiently(() => openPrices(options, settings), patience)
  const copies = isShared(config) ? openCopies(options, settings) : null
  const budgets = createBudgetWatch({
    budgets: settings.budgets,
    store: ledgerStore,
    slugOf: createSlugOf(config),
    clock,
    meter,
    warn,
    tell: (report) => {
      options.onBudgets(report)
      copies?.noteBudgets(report)
    },
  })
  await openPatiently(() => budgets.before(), patience)
  const kept = { forMs: config.journal.keepHours * 3_600_000, clock }
  const reader = openJournalReader({ dir, kept })
  const ledger = openLedger({
    reader,
    store: ledgerStore,
    deadLetters: createDeadLetterFile(config.dataDir),
    book: prices.book,
    budgets,
    clock,
    meter,
    log,
    ...config.ledger,
  })
  const tools = { config, store: ledgerStore, settings, clock, meter }
  const own = listLedgerChores({ ...tools, ledger })
  const shared = listSharedChores({ ...tools, isCaughtUp: () => isCaughtUp(ledger.status()) })
  const chores = runChores([...own, ...shared], { doneBy: 'the ledger', warn })
  const info = (fields: object, message: string): void => log.info(fields, message)
  const updates = openDailyUpdate({ config, settings, clock, meter, info, warn })
  work.ledger = ledger
  work.waitsFor = null
  await aborted(signal)
  await copies?.close()
  await updates.close()
  await chores.close()
  await ledger.close()
  await reader.close()
  prices.close()
  release()
}

/** Where blocking budgets are, they stand as they last stood while the database is away. */
function createWaitNotice({ config, say, onBudgets }: LedgerRoleOptions) {
  let hasReported = !isShared(config)
  return (reason: string): void => {
    say(reason)
    const report = hasReported ? null : readBudgetCopy(config.dataDir, say)
    hasReported = true
    if (report !== null) onBudgets(report)
  }
}

function openCopies({ config, clock, log }: LedgerRoleOptions, { keys }: SettingsStore) {
  const warn = (fields: object, message: string): void => log.warn(fields, message)
  return new CopyWriter({ dataDir: config.dataDir, keys, clock, warn })
}

/** Null when it is to end before the journals are free. */
async function claimPatiently(
  dir: string,
  { signal, say }: LedgerRoleOptions,
  work: Work,
): Promise<(() => void) | null> {
  for (;;) {
    const release = claimJournals(dir)
    if (release !== null || signal.aborted) return release
    if (work.waitsFor !== CLAIMED_ELSEWHERE) say(CLAIMED_ELSEWHERE)
    work.waitsFor = CLAIMED_ELSEWHERE
    await pause(CLAIM_MS)
  }
}

function openPrices({ config, clock, meter, log }: LedgerRoleOptions, settings: SettingsStore) {
  return openPriceWatch({
    prices: settings.prices,
    createBook: (stored) => createConfiguredBook(stored, config),
    dataAt: priceDataAt,
    clock,
    meter,
    warn: (fields, message) => log.warn(fields, message),
  })
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
