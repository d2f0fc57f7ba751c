// weir migrate: makes or updates the tables on PostgreSQL and ClickHouse.

import { loadConfig } from '../../config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../../config/store-locations.ts'
import { migrateStores } from '../../store/databases.ts'
import type { MigratedStore } from '../../store/databases.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'

const migrateCommand: CommandBody = {
  usage: 'weir migrate [options]',
  options: {},
  run,
}

export const commands: Readonly<Record<string, CommandBody>> = { migrate: migrateCommand }

async function run(input: CommandInput): Promise<number> {
  const config = loadConfig({ file: input.configFile })
  const { url: settings } = toSettingsLocation(config)
  const { url: usage, callsUrl: calls } = toUsageLocation(config)
  if (settings === null || usage === null) {
    if (input.isJson) printJson(input, { engine: 'sqlite', stores: [] })
    else input.out(FILES)
    return 0
  }
  const stores = await migrateStores({ settings, usage, calls })
  if (input.isJson) printJson(input, { engine: 'postgresql', stores })
  else input.out(stores.map(describe).join('\n'))
  return 0
}

const FILES = 'SQLite files are brought up to date when Weir opens them: nothing to do.'

function describe({ store, before, after }: MigratedStore): string {
  if (before === after) return `${store}: version ${after}, as it was`
  const from = before === 0 ? 'no tables' : `version ${before}`
  return `${store}: from ${from} to version ${after}`
}
