// What the ledger's process reads and writes. Files are there or are a fault; a database may be
// away for hours, and neither callers nor the start of the node wait for it.

import { isShared, toSettingsLocation, toUsageLocation } from '../config/store-locations.ts'
import type { BudgetReport } from '../core/budget-state.ts'
import { openPatiently } from '../store/open-patiently.ts'
import { openLedgerStore, openSettingsStore } from '../store/open-store.ts'
import type { LedgerStore, SettingsStore } from '../store/open-store.ts'
import { StoreBusy } from '../store/store-busy.ts'
import { openAlertDispatch } from './alert-dispatch.ts'
import type { RoleOptions } from './roles.ts'
import { readBudgetCopy } from './settings-copy/budget-copy.ts'

export interface LedgerStoreOptions extends RoleOptions {
  readonly onBudgets: (report: BudgetReport) => void
}

export interface LedgerStores {
  readonly ledgerStore: LedgerStore
  readonly settings: SettingsStore
}

interface Opening {
  /** Null where the process is to end before they are open. */
  readonly stores: Promise<(LedgerStores & { close(): Promise<void> }) | null>
  /** Resolves when they are open, or cannot be reached now while the node can work without. */
  readonly isUsable: Promise<void>
}

export function openLedgerStores(
  options: LedgerStoreOptions,
  wait: (reason: string) => void,
): Opening {
  const { config, clock, signal } = options
  const away = Promise.withResolvers<void>()
  const notice = createWaitNotice(options)
  const tell = (reason: string): void => {
    notice(reason)
    wait(reason)
    if (isShared(config)) away.resolve()
  }
  const patience = { clock, signal, tell }
  async function open() {
    const usagePlace = toUsageLocation(config)
    const ledgerStore = await openPatiently(
      () => openLedgerStore({ ...usagePlace, clock }),
      patience,
    )
    const settings = await openPatiently(
      () => openSettingsStore({ ...toSettingsLocation(config), clock }),
      patience,
    )
    const alerts = await openAlertDispatch(options, ledgerStore.progress)
    return {
      ledgerStore,
      settings,
      async close() {
        await alerts.close()
        await settings.close()
        await ledgerStore.close()
      },
    }
  }
  const stores = open().catch((error: unknown) => {
    if (signal.aborted && error instanceof StoreBusy) return null
    throw error
  })
  return { stores, isUsable: Promise.race([stores.then(() => {}), away.promise]) }
}

/** Where blocking budgets are, they stand as they last stood while the database is away. */
function createWaitNotice({ config, say, onBudgets }: LedgerStoreOptions) {
  let hasReported = !isShared(config)
  return (reason: string): void => {
    say(reason)
    const report = hasReported ? null : readBudgetCopy(config.dataDir, say)
    hasReported = true
    if (report !== null) onBudgets(report)
  }
}
