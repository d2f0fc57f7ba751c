// Reprices recorded calls with the prices of this installation, on behalf of a user.

import type { Clock } from '../../core/clock.ts'
import { formatMoney } from '../../core/money.ts'
import type { NewAuditEntry } from '../../core/user.ts'
import { reprice } from '../../ledger/past-calls/reprice.ts'
import type { RepriceResult, RepriceScope } from '../../ledger/past-calls/reprice.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import type { Repricing } from '../../store/usage/usage-upkeep.ts'
import { readUser } from '../../accounts/command-actor.ts'
import type { Config } from '../../config/config.ts'
import { createConfiguredTables } from './configured-tables.ts'
import type { PriceBook } from './configured-tables.ts'

export type { RepriceResult, RepriceScope } from '../../ledger/past-calls/reprice.ts'
export type { DiffSum, RepriceDiff } from '../../ledger/past-calls/reprice-diff.ts'
export type { RepricedMonth, Repricing } from '../../store/usage/usage-upkeep.ts'
export { describeReason } from '../tables/unpriced-reason.ts'

export interface RepriceRequest {
  readonly config: Config
  /** Acting for the user: an applied repricing is in the audit log. */
  readonly settings: SettingsStore
  readonly usage: UsageStore
  readonly clock: Clock
  readonly scope: RepriceScope
  /** By default that of the configuration and the settings. */
  readonly priceTables?: PriceBook
  /** By default the user of the operating system. */
  readonly who?: string
  /** False: a dry run. */
  readonly isApplied: boolean
  readonly onProgress?: (looked: number) => void
  /** Calls that are read and changed in one step, during which the thread is blocked. */
  readonly stepRecordsMax?: number
}

export async function repriceRecorded(request: RepriceRequest): Promise<RepriceResult> {
  const { config, settings, usage, clock, scope, isApplied, onProgress, stepRecordsMax } = request
  const priceTables =
    request.priceTables ?? createConfiguredTables(await settings.prices.read(), config)
  const who = request.who ?? readUser()
  const audit = { at: clock.now(), who, what: describeScope(scope) }
  const result = await reprice({
    upkeep: usage.upkeep,
    priceTables,
    scope,
    audit: isApplied ? audit : null,
    ...(onProgress !== undefined && { onProgress }),
    ...(stepRecordsMax !== undefined && { stepRecordsMax }),
  })
  if (result.repricing !== null) await settings.audit.add(toAuditEntry(result.repricing))
  return result
}

function toAuditEntry({ id, what, records, before, after }: Repricing): NewAuditEntry {
  return {
    action: 'usage.reprice',
    subjectId: String(id),
    subjectName: what,
    changes: {
      calls: { after: records },
      cost_usd: { before: formatMoney(before), after: formatMoney(after) },
    },
  }
}

/** For the audit line: `unpriced calls, provider acme, ended from 2026-10-01T00:00:00.000Z`. */
export function describeScope(scope: RepriceScope): string {
  const { fromMs, toMs, keyId, provider, model, isAll } = scope
  const moment = (ms: number): string => new Date(ms).toISOString()
  return [
    isAll ? 'all calls with a computed cost or none' : 'unpriced calls',
    ...(provider === null ? [] : [`provider ${provider}`]),
    ...(model === null ? [] : [`model ${model}`]),
    ...(keyId === null ? [] : [`key ${keyId}`]),
    ...(fromMs === null ? [] : [`ended from ${moment(fromMs)}`]),
    ...(toMs === null ? [] : [`ended before ${moment(toMs)}`]),
  ].join(', ')
}
