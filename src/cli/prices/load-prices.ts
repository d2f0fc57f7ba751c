// The configuration and the price book made from it, for commands that change nothing.

import { loadConfig } from '../../config/config.ts'
import type { Config } from '../../config/config.ts'
import type { PriceSettings } from '../../store/open-store.ts'
import { createConfiguredBook } from '../../pricing/service/configured-book.ts'
import type { PriceCatalog } from '../../pricing/service/configured-book.ts'
import type { CommandInput } from '../command.ts'
import { withSettings } from '../with-settings.ts'

export interface LoadedPrices {
  readonly config: Config
  readonly settings: PriceSettings
  readonly book: PriceCatalog
}

export async function loadPrices(input: CommandInput): Promise<LoadedPrices> {
  const config = loadCommandConfig(input)
  const settings = await withSettings(input, (store) => store.prices.read())
  return { config, settings, book: createConfiguredBook(settings, config) }
}

export function loadCommandConfig(input: CommandInput): Config {
  return loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
}
