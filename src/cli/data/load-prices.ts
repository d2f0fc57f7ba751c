// The price tables of this machine, for commands that need no more: the bundled ones, with what the
// data directory has of rules and imported data, where there is one.

import { loadConfig } from '../../config/config.ts'
import { toSettingsLocation } from '../../config/store-locations.ts'
import { createConfiguredTables } from '../../pricing/service/configured-tables.ts'
import type { PriceCatalog } from '../../pricing/service/configured-tables.ts'
import { hasSettingsStore } from '../../store/open-store.ts'
import type { CommandInput } from '../command.ts'
import { withSettings } from './with-settings.ts'

const NO_SETTINGS = { revision: 0, rules: [], imported: null }

export async function loadPrices(input: CommandInput): Promise<PriceCatalog> {
  const config = loadConfig({ file: input.configFile })
  const settings = hasSettingsStore(toSettingsLocation(config))
    ? await withSettings(input, (store) => store.prices.read())
    : NO_SETTINGS
  return createConfiguredTables(settings, config)
}
