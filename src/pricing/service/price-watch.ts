// The price tables in force, rebuilt when the settings store's prices change. Must stay true: while
// the settings cannot be read or used, the last good price tables stay.

import type { Clock } from '../../core/clock.ts'
import type { Meter } from '../../core/telemetry.ts'
import type { PriceTables } from '../tables/price-tables.ts'
import { follow } from '../../store/settings/follow.ts'
import type { PriceSettings, PriceStore } from '../../store/settings/price-store.ts'

export interface PriceWatchOptions {
  readonly prices: Pick<PriceStore, 'read' | 'readChanges'>
  readonly createBook: (settings: PriceSettings) => PriceTables
  readonly dataAt: (settings: PriceSettings) => number
  readonly clock: Clock
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
}

export interface PriceWatch {
  /** Checks for changes first: a call that ends right after a change must be priced by it. */
  readonly priceTables: () => Promise<PriceTables>
  readonly close: () => void
}

const REFRESH_MS = 1000

/** Resolves when the prices were read once: calls priced without them would keep a wrong cost. */
export async function openPriceWatch(options: PriceWatchOptions): Promise<PriceWatch> {
  const { prices, createBook, dataAt, clock, meter, warn } = options
  let settings = await prices.read()
  let priceTables = createBook(settings)
  const lookAtPrices = follow({
    readChanges: (revision) => prices.readChanges(revision),
    none: settings.revision,
    take: (changed) => {
      priceTables = createBook(changed)
      settings = changed
    },
  })
  let isFailing = false
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  async function look(): Promise<void> {
    try {
      await lookAtPrices()
      isFailing = false
    } catch (error) {
      meter.add('settingsFailures', 1)
      if (!isFailing) warn({ err: error }, 'prices cannot be read; they stay as they were')
      isFailing = true
    }
  }

  async function refresh(): Promise<void> {
    await look()
    tellAge()
    schedule()
  }

  function tellAge(): void {
    meter.set('priceDataAge', Math.max(0, clock.now() - dataAt(settings)) / 1000)
  }

  function schedule(): void {
    if (isClosed) return
    timer = setTimeout(() => void refresh(), REFRESH_MS)
    timer.unref()
  }

  tellAge()
  schedule()
  return {
    priceTables: async () => {
      // While it fails, one try per second is enough: each may wait for a lock, and so do the
      // records.
      if (!isFailing) await look()
      return priceTables
    },
    close: () => {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
    },
  }
}
