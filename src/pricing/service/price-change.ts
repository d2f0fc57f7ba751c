// Changes to the operator's prices, checked before anything is stored.

import type { NewPriceRule, PriceRule } from '../../core/price-rule.ts'
import { WeirError } from '../../core/weir-error.ts'
import { findRuleFaults } from '../book/rule-faults.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { Config } from '../../config/config.ts'
import { createConfiguredBook } from './configured-book.ts'
import { readConfiguredRules } from '../../config/price-rules-file.ts'

/** Throws with all faults of the rule at once. */
export async function setPriceRule(
  settings: SettingsStore,
  rule: NewPriceRule,
): Promise<PriceRule> {
  const faults = findRuleFaults(rule)
  if (faults.length > 0) {
    throw new WeirError('invalid_parameter', `The price ${faults.join('; it ')}.`, {
      hint: 'Run weir prices set --help to see what can be written.',
    })
  }
  return settings.prices.set(rule)
}

export interface OtherPrice {
  /** Null: the model has no price, so there is nothing to multiply. */
  readonly version: string | null
}

/** The price that applies instead of the rule, at its start and now. Null for patterns, too. */
export function findOtherPrice(
  { id, provider, model, tier, effectiveFrom }: PriceRule,
  settings: PriceSettings,
  { config, nowMs }: { readonly config: Config; readonly nowMs: number },
): OtherPrice | null {
  if (model.includes('*')) return null
  const book = createConfiguredBook(settings, config)
  const versions = [effectiveFrom, Math.max(effectiveFrom, nowMs)].map((atMs) => {
    return book.find({ provider, model, serviceTier: tier, atMs })?.version ?? null
  })
  const isUsed = versions.some((version) => version?.startsWith(`override ${id}@`) === true)
  return isUsed ? null : { version: versions.at(-1) ?? null }
}

export const IMPORTED = 'imported'

export interface RemovedPrice {
  /** Null: the imported price data. */
  readonly rule: PriceRule | null
}

/** Throws when there is nothing of that id. */
export async function unsetPrice(
  settings: SettingsStore,
  config: Config,
  id: string,
): Promise<RemovedPrice> {
  if (id === IMPORTED) {
    const { imported } = await settings.prices.read()
    if (imported === null) {
      throw notFound(
        'No prices were imported.',
        'The bundled prices are in force; there is nothing to do.',
      )
    }
    await settings.prices.putImport(null)
    return { rule: null }
  }
  const rule = await settings.prices.remove(id)
  if (rule !== null) return { rule }
  if (readConfiguredRules(config).some((each) => each.id === id)) {
    throw notFound(
      `The rule ${id} is in ${config.prices.file}.`,
      'Remove it from that file, then restart Weir or send it SIGHUP.',
    )
  }
  throw notFound(`There is no price rule ${id}.`, 'Run weir prices list to list them.')
}

function notFound(message: string, hint: string): WeirError {
  return new WeirError('not_found', message, { hint })
}
