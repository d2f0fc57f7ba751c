// Opens stores for one command that no route of the API offers, as the machine's user, also while
// Weir runs.

import { createCommandActor } from '../../accounts/command-actor.ts'
import { requireStores } from '../../app/local/require-data-dir.ts'
import type { DataDirNeed } from '../../app/local/require-data-dir.ts'
import { loadConfig } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../../config/store-locations.ts'
import { openLedgerStore, openSettingsStore } from '../../store/open-store.ts'
import type { LedgerBook, SettingsStore, UsageStore } from '../../store/open-store.ts'
import type { CommandInput } from '../command.ts'

export interface Stores {
  readonly config: Config
  readonly settings: SettingsStore
  readonly usage: UsageStore
  readonly ledgerProgress: LedgerBook
}

export async function withSettings<Result>(
  { configFile, clock }: CommandInput,
  use: (settings: SettingsStore, config: Config) => Promise<Result>,
  need: DataDirNeed = {},
): Promise<Result> {
  const config = loadConfig({ file: configFile })
  requireStores(config, need)
  const settings = await openSettingsStore({ ...toSettingsLocation(config), clock })
  try {
    return await use(settings.as(createCommandActor()), config)
  } finally {
    await settings.close()
  }
}

export function withStores<Result>(
  input: CommandInput,
  use: (stores: Stores) => Promise<Result>,
  need: DataDirNeed = {},
): Promise<Result> {
  const open = async (settings: SettingsStore, config: Config): Promise<Result> => {
    const { clock } = input
    const store = await openLedgerStore({ ...toUsageLocation(config), clock, hasJournals: false })
    try {
      return await use({ config, settings, usage: store.usage, ledgerProgress: store.progress })
    } finally {
      await store.close()
    }
  }
  return withSettings(input, open, need)
}
