// weir migrate: makes or updates the tables on PostgreSQL and ClickHouse.

import { loadConfig } from '../../config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../../config/store-locations.ts'
import { migrateStores } from '../../store/databases.ts'
import type { MigratedStore } from '../../store/databases.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'

export const commands: Commands = { migrate: { run } }

async function run(input: CommandInput): Promise<Shown> {
  const config = loadConfig({ file: input.configFile })
  const { url: settings } = toSettingsLocation(config)
  const { url: usage, callsUrl: calls } = toUsageLocation(config)
  if (settings === null || usage === null) {
    return { json: { engine: 'sqlite', stores: [] }, text: FILES }
  }
  const stores = await migrateStores({ settings, usage, calls })
  return { json: { engine: 'postgresql', stores }, text: stores.map(describe).join('\n') }
}

const FILES = 'SQLite files are brought up to date when Weir opens them: nothing to do.'

function describe({ store, before, after }: MigratedStore): string {
  if (before === after) return `${store}: version ${after}, as it was`
  const from = before === 0 ? 'no tables' : `version ${before}`
  return `${store}: from ${from} to version ${after}`
}
