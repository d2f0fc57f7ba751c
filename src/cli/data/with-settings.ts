// Opens the settings for a command that no route of the API offers, as the machine's user, also
// while Weir runs.

import { createCommandActor } from '../../accounts/command-actor.ts'
import { requireStores } from '../../app/local/require-data-dir.ts'
import type { DataDirNeed } from '../../app/local/require-data-dir.ts'
import { loadConfig } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import { toSettingsLocation } from '../../config/store-locations.ts'
import { openSettingsStore } from '../../store/open-store.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import type { CommandInput } from '../command.ts'

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
