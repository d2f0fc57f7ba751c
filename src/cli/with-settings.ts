// Opens the settings store for one command, as the machine's user, also while Weir runs.

import { openSettingsStore } from '../store/open-store.ts'
import type { SettingsStore } from '../store/open-store.ts'
import { createCommandActor } from '../accounts/command-actor.ts'
import { loadConfig } from '../config/config.ts'
import { toSettingsPlace } from '../config/store-places.ts'
import type { CommandInput } from './command.ts'
import { requireStores } from './require-data-dir.ts'
import type { DataDirNeed } from './require-data-dir.ts'

export async function withSettings<Result>(
  input: CommandInput,
  use: (settings: SettingsStore) => Promise<Result>,
  need: DataDirNeed = {},
): Promise<Result> {
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  requireStores(config, need)
  const settings = await openSettingsStore({ ...toSettingsPlace(config), clock: input.clock })
  try {
    return await use(settings.as(createCommandActor()))
  } finally {
    await settings.close()
  }
}
