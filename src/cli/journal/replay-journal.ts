// Retries the dead letters with today's prices. Must stay true: one replay at a time per data
// directory, also while Weir runs.

import { join } from 'node:path'

import type { Clock } from '../../core/clock.ts'
import { WeirError } from '../../core/weir-error.ts'
import { claimLock } from '../../journal/lock.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { LedgerStore } from '../../store/ledger/ledger-store.ts'
import { openSettingsStore, openLedgerStore } from '../../store/open-store.ts'
import type { Config } from '../../config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../../config/store-locations.ts'
import { openDataDir } from '../../backup/data-dir.ts'
import { createConfiguredTables } from '../../pricing/service/configured-tables.ts'
import { replayLetterFile } from '../../ledger/replay-letter-file.ts'
import type { ReplayReport } from '../../ledger/replay-letter-file.ts'
import { createSlugOf } from '../../config/slug-of.ts'

export type { ReplayReport } from '../../ledger/replay-letter-file.ts'

export interface ReplayOptions {
  readonly config: Config
  readonly clock: Clock
  readonly isTrial: boolean
}

export async function replayJournal({
  config,
  clock,
  isTrial,
}: ReplayOptions): Promise<ReplayReport> {
  const { dataDir } = config
  openDataDir(dataDir)
  const release = claimLock(join(dataDir, 'dead-letters.lock'))
  if (release === null) {
    throw new WeirError('data_dir_in_use', `Another replay is running on ${dataDir}.`, {
      hint: 'Wait for it to finish; it replays everything.',
    })
  }
  try {
    const settings = await openSettingsStore({ ...toSettingsLocation(config), clock })
    try {
      return await replayWith(settings, { config, clock, isTrial })
    } finally {
      await settings.close()
    }
  } finally {
    release()
  }
}

async function replayWith(settings: SettingsStore, options: ReplayOptions): Promise<ReplayReport> {
  const { config, clock, isTrial } = options
  const { dataDir } = config
  const priceTables = createConfiguredTables(await settings.prices.read(), config)
  const store = await openLedgerStore({ ...toUsageLocation(config), clock })
  try {
    const counting = countForBudgets(store, settings.budgets, options)
    return await replayLetterFile(counting, { dataDir, priceTables, nowMs: clock.now(), isTrial })
  } finally {
    await store.close()
  }
}

/** New budgets are watched before each write: the ledger would miss what is stored here later. */
export function countForBudgets(
  store: LedgerStore,
  budgets: SettingsStore['budgets'],
  { config, clock }: ReplayOptions,
): LedgerStore {
  const slugOf = createSlugOf(config)
  let revision = -1
  return {
    ...store,
    async writeBatch(batch) {
      const changes = await budgets.readChanges(revision)
      if (changes !== null) {
        await store.progress.budgets.watch(changes.budgets, { slugOf, nowMs: clock.now() })
        ;({ revision } = changes)
      }
      await store.writeBatch(batch)
    },
  }
}
