// Opens both stores for one command, as the machine's user, also while Weir runs.

import { openSettingsStore, openLedgerStore } from '../store/open-store.ts'
import type { LedgerBook, SettingsStore, UsageStore } from '../store/open-store.ts'
import { createCommandActor } from '../accounts/command-actor.ts'
import { loadConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { toSettingsPlace, toUsagePlace } from '../config/store-places.ts'
import type { CommandInput } from './command.ts'
import { requireStores } from './require-data-dir.ts'
import type { DataDirNeed } from './require-data-dir.ts'

export interface Stores {
  readonly config: Config
  readonly settings: SettingsStore
  readonly usage: UsageStore
  readonly ledgerBook: LedgerBook
}

export async function withStores<Result>(
  input: CommandInput,
  use: (stores: Stores) => Promise<Result>,
  need: DataDirNeed = {},
): Promise<Result> {
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  requireStores(config, need)
  const { clock } = input
  const settings = await openSettingsStore({ ...toSettingsPlace(config), clock })
  try {
    const acting = settings.as(createCommandActor())
    const ledgerStore = await openLedgerStore({
      ...toUsagePlace(config),
      clock,
      hasJournals: false,
    })
    try {
      return await use({
        config,
        settings: acting,
        usage: ledgerStore.usage,
        ledgerBook: ledgerStore.book,
      })
    } finally {
      await ledgerStore.close()
    }
  } finally {
    await settings.close()
  }
}
