// Slow parts of the API that few requests need, price data and providers, loaded on first use so
// that no start waits for them.

import type { ApiOptions } from '../api/api-options.ts'
import type { PriceDesk } from '../api/prices/price-desk.ts'
import type { PriceDeskOptions } from '../api/prices/open-price-desk.ts'

type OnDemand = Pick<ApiOptions, 'prices' | 'checkKey' | 'requireProviders'>

export function openOnDemand(options: PriceDeskOptions): OnDemand {
  let desk: Promise<PriceDesk> | null = null
  return {
    prices: () => (desk ??= openDesk(options)),
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

async function openDesk(options: PriceDeskOptions): Promise<PriceDesk> {
  const { createPriceDesk } = await import('../api/prices/open-price-desk.ts')
  return createPriceDesk(options)
}
