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
import { withKnownDims } from './settings-copy/known-dims.ts'
import { openLedger } from '../ledger/ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { runChores } from '../ledger/chores.ts'
import type { Chores } from '../ledger/chores.ts'
import { isCaughtUp, listLedgerChores } from '../ledger/ledger-chores.ts'
import type { LedgerStand } from '../ledger/read-completeness.ts'
import { listSharedChores } from '../ledger/shared-chores.ts'
import { createSlugOf } from '../config/slug-of.ts'
import { isShared } from '../config/store-locations.ts'
import { createConfiguredTables, priceDataAt } from '../pricing/service/configured-tables.ts'
import { openDailyUpdate } from '../pricing/service/daily-update.ts'
import { openPriceWatch } from '../pricing/service/price-watch.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import { openPatiently } from '../store/open-patiently.ts'
import type { SettingsStore } from '../store/open-store.ts'
import { openLedgerStores } from './ledger-stores.ts'
import { openLedgerTelemetry } from './ledger-telemetry.ts'
import type { LedgerStores } from './ledger-stores.ts'
import type { RoleOptions, RunningRole } from './roles.ts'
import { CopyWriter } from './settings-copy/copy-writer.ts'

export interface LedgerRoleOptions extends RoleOptions {
  /** Resolves when this node has its id: no other stores journals of that id. */
  readonly claimed: Promise<void>
  readonly onBudgets: (report: BudgetReport) => void
  /** Called when the reason why the ledger is behind changes; null while all is well. */
  readonly onFault: (fault: string | null) => void
  /** Called all the time: from it and the files, others know what is not stored. */
  readonly onStand: (stand: LedgerStand) => void
}

/** Beside callers on a busy machine it still gets a tenth of a core. */
const NICENESS = 10
const STATUS_MS = 500
const CLAIM_MS = 250
const UNCLAIMED =
  'The ledger waits until it is certain that no other node runs with the id of this one.'
const CLAIMED_ELSEWHERE = 'Another ledger still stores these journals; this one waits for it.'

interface Work {
  /** Null until the journals and the prices are open. */
  ledger: Ledger | null
  waitsFor: string | null
}

export async function runLedgerRole(options: LedgerRoleOptions): Promise<RunningRole> {
  const { clock, say, onFault, onStand } = options
  setPriority(Math.max(getPriority(), NICENESS))
  const catchUp = createCatchUp({ clock, say })
  const work: Work = { ledger: null, waitsFor: 'The ledger has not started yet.' }
  const stop = Promise.withResolvers<DrainLimits>()
  const opening = openLedgerStores(options, (reason) => {
    work.waitsFor = reason
  })
  await opening.isUsable
  // Not awaited: the role is ready while it waits for the journals. A failure ends the process.
  const working = opening.stores.then(async (stores) => {
    if (stores === null) return
    await store(options, { ...stores, work, stopped: stop.promise })
    await stores.close()
  })
  let fault: string | null | undefined
  const timer = setInterval(look, STATUS_MS)
  look()

  function look(): void {
    const status = work.ledger?.status()
    // Before its first round the ledger does not know how much waits.
    if (status !== undefined && status.completeness !== null) catchUp.look(status.lagBytes)
    const stand = work.ledger?.stand() ?? null
    if (stand !== null) onStand(stand)
    const now = work.waitsFor ?? status?.lastError ?? status?.wayBack ?? null
    if (now === fault) return
    fault = now
    onFault(now)
  }

  async function close(limits: DrainLimits): Promise<void> {
    stop.resolve(limits)
    // A batch is not cut.
    await working
    clearInterval(timer)
    look()
    const { lastError = null, lagBytes = 0 } = work.ledger?.status() ?? {}
    if (lastError === null || lagBytes === 0) return
    const left = `${lagBytes} bytes of the journals are not stored`
    say(`${left}: ${lastError} They are stored when Weir starts again on this data directory.`)
  }
  let closing: Promise<void> | null = null
  return { drain: (limits) => (closing ??= close(limits)) }
}

interface StoreContext extends LedgerStores {
  readonly work: Work
  readonly stopped: Promise<DrainLimits>
}

/** Until the process is to end. Opened from top to bottom, closed in reverse. */
async function store(options: LedgerRoleOptions, context: StoreContext): Promise<void> {
  const { config, clock, meter, log, warn, signal } = options
  const { ledgerStore, settings, work, stopped } = context
  const dir = journalDir(config.dataDir)
  const release = await claimPatiently(dir, options, work)
  if (release === null) return
  work.waitsFor = UNCLAIMED
  if (!(await Promise.race([options.claimed.then(() => true), stopped.then(() => false)]))) {
    return release()
  }
  const tell = (reason: string): void => {
    work.waitsFor = reason
    options.say(reason)
  }
  const patience = { clock, signal, tell }
  const prices = await openPatiently(() => openPrices(options, settings), patience)
  const { dataDir } = config
  const copies = isShared(config)
    ? new CopyWriter({ dataDir, keys: settings.keys, clock, warn })
    : null
  const budgets = createBudgetWatch({
    budgets: settings.budgets,
    store: ledgerStore,
    slugOf: createSlugOf(config),
    hasForecasts: !isShared(config),
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
  const telemetry = await openLedgerTelemetry(options)
  const reader = openJournalReader({ dir, kept })
  const ledger = openLedger({
    reader,
    store: withKnownDims(ledgerStore, { ...settings, config, clock }),
    deadLetters: createDeadLetterFile(config.dataDir),
    priceTables: prices.priceTables,
    budgets,
    ...(telemetry !== null && { onStored: (records) => telemetry.add(records) }),
    clock,
    meter,
    log,
    ...config.ledger,
    batchLinesMax: config.ledger.batchLinesMax,
    // A small batch costs a database as much as a large one.
    ...(isShared(config) ? { intervalMsMax: Math.max(config.ledger.intervalMs, 1000) } : {}),
  })
  const chores = openLedgerWork(options, { ledgerStore, settings, ledger })
  work.ledger = ledger
  work.waitsFor = null
  const { timeoutMs } = await stopped
  await copies?.close()
  await chores.close()
  // A file that refuses now would refuse again.
  await ledger.close(isShared(config) ? timeoutMs : 0)
  await reader.close()
  await telemetry?.close()
  prices.close()
  release()
}

/** Where nodes share a database, their leader does what is done once for all of them. */
function openLedgerWork(
  options: LedgerRoleOptions,
  { ledgerStore, settings, ledger }: LedgerStores & { readonly ledger: Ledger },
): Chores {
  const { config, warn } = options
  const tools = { ...options, store: ledgerStore, settings }
  const own = listLedgerChores({ ...tools, ledger })
  if (isShared(config)) return runChores(own, { doneBy: 'the ledger', warn })
  const shared = listSharedChores({ ...tools, isCaughtUp: () => isCaughtUp(ledger.status()) })
  const chores = runChores([...own, ...shared], { doneBy: 'the ledger', warn })
  const updates = openDailyUpdate(tools)
  return {
    async close() {
      await updates.close()
      await chores.close()
    },
  }
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

function openPrices(options: LedgerRoleOptions, settings: SettingsStore) {
  return openPriceWatch({
    ...options,
    prices: settings.prices,
    createBook: (stored) => createConfiguredTables(stored, options.config),
    dataAt: priceDataAt,
  })
}
