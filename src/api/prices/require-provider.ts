// Refuses to reprice calls of a provider that does not exist: a typing error must not look like a
// period without calls. A provider that was taken out of the configuration still has its calls.

import type { Config } from '../../config/config.ts'
import type { Period, UsageStore } from '../../store/usage/usage-store.ts'
import { findKnownProvider } from '../keys/key-check.ts'

/** Longer than any record; a store answers for at most 1,000 months. */
const ALL_MONTHS: Period = { grain: 'month', from: '2020-01', to: '2099-12' }

/** Throws, and suggests the nearest id, when it is neither known nor has calls on record. */
export async function requireProvider(
  { config, usage }: { readonly config: Config; readonly usage: Pick<UsageStore, 'sum'> },
  id: string | null,
): Promise<void> {
  if (id === null) return
  const sums = await usage.sum({
    period: ALL_MONTHS,
    grouping: { by: 'provider' },
    keyId: null,
    isCostOnly: true,
  })
  if (!sums.some(({ label }) => label === id)) findKnownProvider(config, id)
}
