// weir prices list and unset

import type { PriceData, PricePage, PriceRule } from '../../../client/weir-client.js'
import { WeirError } from '../../core/weir-error.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatRows, formatTime } from '../table.ts'
import {
  describePrice,
  describeSince,
  describeTier,
  readRules,
  toRulePrice,
} from './price-rule-view.ts'

const CELL_CHARS_MAX = 80

export const commands: Commands = {
  'prices list': apiCommand({
    scope: 'read:usage',
    run: async (_, api) => {
      const { price_data } = await api.get<PricePage>('/v1/prices', { limit: 1 })
      const shown = { rules: await readRules(api), price_data }
      return { json: shown, text: formatList(shown) }
    },
  }),
  'prices unset': apiCommand({
    scope: 'write:prices',
    subject: { noun: 'price rule', list: 'weir prices list' },
    arguments: ['ID'],
    run: unset,
  }),
}

interface ShownList {
  readonly rules: readonly PriceRule[]
  readonly price_data: PriceData
}

function formatList({ rules, price_data: data }: ShownList): string {
  const lines =
    rules.length === 0
      ? ['You have set no prices. weir prices set PROVIDER MODEL sets one.']
      : formatRules(rules).split('\n')
  const { imported_at: importedAt, imported_by: importedBy, last_update: lastUpdate } = data
  const imported =
    importedBy === null ? '' : `, imported ${formatTime(importedAt)} by ${importedBy}`
  const version = `Price data: ${data.version.replace(/\bbundle@/, "Weir's list of ")}, ${data.age_days} days old${imported}.`
  lines.push('', toPrintable(version))
  if (lastUpdate !== null) {
    const moment = formatTime(lastUpdate.at)
    lines.push(toPrintable(`Last update ${moment}: ${lastUpdate.words}.`))
  }
  if (data.is_old) {
    lines.push(
      'That is old. Run weir prices update, or import newer data from a file (docs/prices.md).',
    )
  }
  if (data.is_import_outdated) {
    lines.push(
      'The bundled data is newer than the imported data, and comes before it. Import newer data, or run',
      '  weir prices unset imported',
    )
  }
  return lines.join('\n')
}

function formatRules(rules: readonly PriceRule[]): string {
  const toPriced = (rule: PriceRule) => ({ tier: rule.tier, price: toRulePrice(rule) })
  return formatRows(rules, {
    ID: ({ id }) => id,
    PROVIDER: ({ provider }) => provider,
    MODEL: ({ model }) => model,
    TIER: (rule) => describeTier(toPriced(rule)),
    FROM: (rule) => describeSince(Date.parse(rule.effective_from)),
    ORIGIN: ({ origin }) => origin,
    PRICE: (rule) => cutCell(describePrice(toPriced(rule)), CELL_CHARS_MAX),
    NOTE: ({ note }) => cutCell(note ?? '', CELL_CHARS_MAX),
  })
}

/** In the place of an id: all prices that were imported. */
const IMPORTED = 'imported'
const KEPT = 'Calls that are recorded already keep their cost.'

/** What is not there is no rule. */
function refuseNothing(error: unknown): never {
  if (!(error instanceof WeirError) || error.code !== 'not_found') throw error
  throw new WeirError('not_found', 'No prices were imported.', {
    hint: 'The bundled prices are in force; there is nothing to do.',
  })
}

async function unset(input: CommandInput, api: Api): Promise<Shown> {
  const id = input.arguments[0] as string
  if (id === IMPORTED) {
    await api.send('DELETE /v1/prices/imported').catch(refuseNothing)
    const text = `The imported prices were removed; the bundled ones apply now.\n${KEPT}`
    return { json: { removed: id }, text }
  }
  const rule = await api.send<PriceRule>(`DELETE /v1/prices/rules/${encodeURIComponent(id)}`)
  const price = describePrice({ price: toRulePrice(rule) })
  const what = `${rule.provider} ${rule.model}, ${price}`
  return { json: { removed: rule }, text: `Price rule ${id} was removed: ${what}.\n${KEPT}` }
}
