// weir prices list

import type { PriceData, PricePage, PriceRule } from '../../../client/weir-client.js'
import { apiCommand } from '../api.ts'
import type { Commands } from '../command.ts'
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
  const version = `Price data: ${data.version}, ${data.age_days} days old${imported}.`
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
