// The job of the ledger process: it begins and watches the one that stores, which gives way to callers, and sends
// the alerts that come of it.

import type { BudgetReport } from '../core/budget-state.ts'
import { openAlertDispatch } from './alert-dispatch.ts'
import { openUsageStore } from '../store/open-store.ts'
import { openLedgerProcess } from './open-ledger-process.ts'
import { openPatiently } from '../store/open-patiently.ts'
import type { RoleOptions, RunningRole } from './roles.ts'

export interface LedgerRoleOptions extends RoleOptions {
  readonly onBudgets: (report: BudgetReport) => void
  /** Hears why the ledger is behind when that changes. */
  readonly onFault: (fault: string | null) => void
  /** Hears the number of the process that stores, and null when it has ended. */
  readonly onProcess: (pid: number | null) => void
}

export async function runLedgerRole(options: LedgerRoleOptions): Promise<RunningRole> {
  const { config, clock, signal, say, onFault } = options
  const { dataDir } = config
  const patience = { clock, signal, tell: say }
  const usage = await openPatiently(() => openUsageStore({ dataDir, clock }), patience)
  const ledger = openLedgerProcess(options)
  let report = await ledger.firstReport
  onFault(report.fault)
  ledger.onReport((next) => {
    if (next.fault !== report.fault) onFault(next.fault)
    report = next
  })
  const alerts = await openAlertDispatch(options, usage)
  // A batch is not cut.
  async function close(): Promise<void> {
    await Promise.all([ledger.drain(), alerts.close()])
    await usage.close()
  }
  let closing: Promise<void> | null = null
  return {
    hear: (news) => {
      if (news.kind === 'callers') ledger.tellCallers(news.hasCallers)
    },
    samples: () => report.samples,
    drain: () => (closing ??= close()),
  }
}
