// Prices what is recorded anew with the prices of this installation, in the name of whoever asks.

import { userInfo } from 'node:os'
import type { Clock } from '../core/clock.ts'
import { reprice } from '../ledger/reprice.ts'
import type { RepriceResult, RepriceScope } from '../ledger/reprice.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import type { UsageStore } from '../store/usage/usage-store.ts'
import type { Config } from './config.ts'
import { createConfiguredBook } from './price-book.ts'

export type { RepriceResult, RepriceScope } from '../ledger/reprice.ts'
export type { DiffSum, RepriceDiff } from '../ledger/reprice-diff.ts'
export type { Repricing } from '../store/usage/usage-upkeep.ts'
export { describeReason } from '../pricing/unpriced-reason.ts'

export interface RepriceRequest {
  readonly config: Config
  readonly settings: SettingsStore
  readonly usage: UsageStore
  readonly clock: Clock
  readonly scope: RepriceScope
  /** False looks and changes nothing. */
  readonly isApplied: boolean
  readonly onProgress?: (looked: number) => void
}

export async function repriceRecorded(request: RepriceRequest): Promise<RepriceResult> {
  const { config, settings, usage, clock, scope, isApplied, onProgress } = request
  const book = createConfiguredBook(await settings.prices.read(), config)
  const audit = { at: clock.now(), who: readUser(), what: describeScope(scope) }
  return reprice({
    upkeep: usage.upkeep,
    book,
    scope,
    audit: isApplied ? audit : null,
    ...(onProgress !== undefined && { onProgress }),
  })
}

/** The user of the operating system; a number where it has no name. */
export function readUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under an id that no file knows.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}

/** `unpriced calls, provider acme, ended from 2026-10-01T00:00:00.000Z`: as the audit line keeps it. */
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
