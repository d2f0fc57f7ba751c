// Slow parts of the API that few requests need, price data and providers, loaded on first use so
// that no start waits for them.

import type { ApiOptions } from '../api/api-options.ts'
import type { PriceAdmin, PriceAdminOptions } from '../api/prices/price-admin.ts'

type OnDemand = Pick<ApiOptions, 'prices' | 'checkKey' | 'requireProviders'>

export function openOnDemand(options: PriceAdminOptions): OnDemand {
  let admin: Promise<PriceAdmin> | null = null
  return {
    prices: () => (admin ??= openAdmin(options)),
    checkKey: async (question) => {
      const { createKeyCheck } = await import('../api/keys/key-check.ts')
      return createKeyCheck(options.config, options.clock)(question)
    },
    requireProviders: async (ids) => {
      if (ids.length === 0) return
      const { findKnownProvider } = await import('../api/keys/key-check.ts')
      for (const id of ids) findKnownProvider(options.config, id)
    },
  }
}

async function openAdmin(options: PriceAdminOptions): Promise<PriceAdmin> {
  const { createPriceAdmin } = await import('../api/prices/price-admin.ts')
  return createPriceAdmin(options)
}
