// weir prices list

import type { PriceData, PriceRule } from '../../../client/weir-client.js'
import { toPriceDataAnswer, toRuleAnswer } from '../../api/prices/price-rows.ts'
import { listPrices } from '../../pricing/service/price-list.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { loadCommandConfig } from './load-prices.ts'
import { describePrice, describeSince, describeTier, toRulePrice } from './price-rule-view.ts'
import { toPrintable } from '../printable.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { cutCell, formatTable, formatTime } from '../table.ts'
import { withSettings } from '../with-settings.ts'

const CELL_CHARS_MAX = 80

export const pricesListCommand: CommandBody = {
  usage: 'weir prices list [options]',
  options: URL_OPTION,
  run: async (input) => {
    const list = await readFrom<ShownList>(input, {
      scope: 'read:usage',
      here: () => readList(input),
      there: async (client) => {
        const { rows: rules } = await client.priceRules()
        const { price_data } = await client.prices({ limit: 1 })
        return { rules, price_data }
      },
    })
    if (input.isJson) printJson(input, list)
    else input.out(formatList(list))
    return 0
  },
}

interface ShownList {
  readonly rules: readonly PriceRule[]
  readonly price_data: PriceData
}

async function readList(input: CommandInput): Promise<ShownList> {
  const config = loadCommandConfig(input)
  const settings = await withSettings(input, (store) => store.prices.read())
  const { rules, data } = listPrices(settings, { config, nowMs: input.clock.now() })
  return {
    rules: rules.map(({ rule, origin }) => toRuleAnswer(rule, origin)),
    price_data: toPriceDataAnswer(data),
  }
}

function formatList({ rules, price_data: data }: ShownList): string {
  const lines =
    rules.length === 0
      ? ['You have set no prices. weir prices set PROVIDER MODEL sets one.']
      : formatTable([
          ['ID', 'PROVIDER', 'MODEL', 'TIER', 'FROM', 'ORIGIN', 'PRICE', 'NOTE'],
          ...rules.map(toRuleCells),
        ]).split('\n')
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

function toRuleCells(rule: PriceRule): string[] {
  const priced = { tier: rule.tier, price: toRulePrice(rule) }
  const cells = [
    rule.id,
    rule.provider,
    rule.model,
    describeTier(priced),
    describeSince(Date.parse(rule.effective_from)),
    rule.origin,
    cutCell(describePrice(priced), CELL_CHARS_MAX),
    cutCell(rule.note ?? '', CELL_CHARS_MAX),
  ]
  return cells.map(toPrintable)
}
