// Opens both stores of the configured data directory for one command, beside whatever else runs on it and in the name of
// the machine's user, and closes them again whatever comes.

import { openSettingsStore, openUsageStore } from '../store/open-store.ts'
import type { SettingsStore, UsageStore } from '../store/open-store.ts'
import { createCommandActor } from '../accounts/command-actor.ts'
import { loadConfig } from '../config/config.ts'
import type { Config } from '../config/config.ts'
import { openDataDir } from '../backup/data-dir.ts'
import type { CommandInput } from './command.ts'

export interface Stores {
  readonly config: Config
  readonly settings: SettingsStore
  readonly usage: UsageStore
}

export async function withStores<Result>(
  input: CommandInput,
  use: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  const { dataDir } = config
  openDataDir(dataDir)
  const settings = await openSettingsStore({ dataDir, clock: input.clock })
  try {
    const acting = settings.as(createCommandActor())
    const usage = await openUsageStore({ dataDir, clock: input.clock })
    try {
      return await use({ config, settings: acting, usage })
    } finally {
      await usage.close()
    }
  } finally {
    await settings.close()
  }
}
