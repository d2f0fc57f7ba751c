// Opens the settings store of the configured data directory for one command, beside whatever else
// runs on it, in the name of the machine's user, and closes it again whatever comes.

import { openSettingsStore } from '../app/backends.ts'
import type { SettingsStore } from '../app/backends.ts'
import { createCommandActor } from '../app/command-actor.ts'
import { loadConfig } from '../app/config.ts'
import { openDataDir } from '../app/data-dir.ts'
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
