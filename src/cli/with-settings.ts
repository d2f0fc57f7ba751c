// Opens the settings store for one command, as the machine's user, also while Weir runs.

import { openSettingsStore } from '../store/open-store.ts'
import type { SettingsStore } from '../store/open-store.ts'
import { createCommandActor } from '../accounts/command-actor.ts'
import { loadConfig } from '../config/config.ts'
import { openDataDir } from '../backup/data-dir.ts'
import type { CommandInput } from './command.ts'

export async function withSettings<Result>(
  input: CommandInput,
  use: (settings: SettingsStore) => Promise<Result>,
): Promise<Result> {
  const { dataDir } = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  openDataDir(dataDir)
  const settings = await openSettingsStore({ dataDir, clock: input.clock })
  try {
    return await use(settings.as(createCommandActor()))
  } finally {
    await settings.close()
  }
}
