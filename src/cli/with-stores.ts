// Opens both stores of the configured data directory for one command, beside whatever else runs on it and in the name of
// the machine's user, and closes them again whatever comes.

import { openSettingsStore, openUsageStore } from '../app/backends.ts'
import type { SettingsStore, UsageStore } from '../app/backends.ts'
import { createCommandActor } from '../app/command-actor.ts'
import { loadConfig } from '../app/config.ts'
import type { Config } from '../app/config.ts'
import { openDataDir } from '../app/data-dir.ts'
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
