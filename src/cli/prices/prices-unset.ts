// weir prices unset

import type { PriceRule } from '../../../client/weir-client.js'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { describePrice, toRulePrice } from './price-rule-view.ts'

export const commands: Commands = {
  'prices unset': apiCommand({
    scope: 'write:prices',
    subject: { noun: 'price rule', list: 'weir prices list' },
    arguments: ['ID'],
    run: unset,
  }),
}

/** In the place of an id: all prices that were imported. */
const IMPORTED = 'imported'
const KEPT = 'Calls that are recorded already keep their cost.'

async function unset(input: CommandInput, api: Api): Promise<Shown> {
  const id = input.arguments[0] as string
  if (id === IMPORTED) {
    const { removeImported } = await import('../data/prices-import.ts')
    await removeImported(input)
    const text = `The imported prices were removed; the bundled ones apply now.\n${KEPT}`
    return { json: { removed: id }, text }
  }
  const rule = await api.send<PriceRule>(`DELETE /v1/prices/rules/${encodeURIComponent(id)}`)
  const price = describePrice({ price: toRulePrice(rule) })
  const what = `${rule.provider} ${rule.model}, ${price}`
  return { json: { removed: rule }, text: `Price rule ${id} was removed: ${what}.\n${KEPT}` }
}
