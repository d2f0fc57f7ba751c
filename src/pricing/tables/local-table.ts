// Providers that run on the operator's own machines charge nothing. The last of the tables: a price
// that anybody has set, or a list knows, comes first.

import { FREE_RATES, STANDARD_TIER } from './price-table.ts'
import type { PriceTable, PriceVersion } from './price-table.ts'

export function createLocalTable(providers: ReadonlySet<string>): PriceTable {
  const made = new Map([...providers].map((id) => [id, [toVersion(id)]]))
  return {
    findVersions: (provider) => made.get(provider) ?? null,
    // Any name is one of its models.
    listModels: () => [],
  }
}

function toVersion(provider: string): PriceVersion {
  const entry = { rates: FREE_RATES, source: 'price-book', version: `local ${provider}` } as const
  return {
    fromMs: -Infinity,
    hours: null,
    entries: new Map([[STANDARD_TIER, entry]]),
    modelId: provider,
  }
}
