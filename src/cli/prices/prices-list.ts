// weir prices list

import { toPriceDataAnswer, toRuleAnswer } from '../../api/prices/price-rows.ts'
import { listPrices } from '../../pricing/service/price-list.ts'
import type { PriceList } from '../../pricing/service/price-list.ts'
import { printJson } from '../command.ts'
import type { CommandBody } from '../command.ts'
import { loadCommandConfig } from './load-prices.ts'
import { describePrice, describeSince, describeTier } from './price-rule-view.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatMoment, formatTable } from '../table.ts'
import { withSettings } from '../with-settings.ts'

const CELL_CHARS_MAX = 80

export const pricesListCommand: CommandBody = {
  usage: 'weir prices list [options]',
  options: {},
  run: async (input) => {
    const config = loadCommandConfig(input)
    const settings = await withSettings(input, (store) => store.prices.read())
    const list = listPrices(settings, { config, nowMs: input.clock.now() })
    if (input.isJson) printJson(input, toListJson(list))
    else input.out(formatList(list))
    return 0
  },
}

function toListJson({ rules, data }: PriceList): Record<string, unknown> {
  return {
    rules: rules.map(({ rule, origin }) => toRuleAnswer(rule, origin)),
    price_data: toPriceDataAnswer(data),
  }
}

function formatList({ rules, data }: PriceList): string {
  const lines =
    rules.length === 0
      ? ['You have set no prices. weir prices set PROVIDER MODEL sets one.']
      : formatTable([
          ['ID', 'PROVIDER', 'MODEL', 'TIER', 'FROM', 'ORIGIN', 'PRICE', 'NOTE'],
          ...rules.map(({ rule, origin }) => [
            rule.id,
            rule.provider,
            rule.model,
            describeTier(rule),
            describeSince(rule.effectiveFrom),
            origin,
            cutCell(describePrice(rule), CELL_CHARS_MAX),
            cutCell(rule.note ?? '', CELL_CHARS_MAX),
          ]),
        ]).split('\n')
  const imported =
    data.importedBy === null
      ? ''
      : `, imported ${formatMoment(data.importedAt)} by ${data.importedBy}`
  lines.push('', `Price data: ${data.version}, ${data.ageDays} days old${imported}.`)
  const { lastUpdate } = data
  if (lastUpdate !== null) {
    const moment = formatMoment(lastUpdate.atMs)
    lines.push(toPrintable(`Last update ${moment}: ${lastUpdate.words}.`))
  }
  if (data.isOld) {
    lines.push(
      'That is old. Run weir prices update, or import newer data from a file (docs/prices.md).',
    )
  }
  if (data.isImportOutdated) {
    lines.push(
      'The bundled data is newer than the imported data, and comes before it. Import newer data, or run',
      '  weir prices unset imported',
    )
  }
  return lines.join('\n')
}
