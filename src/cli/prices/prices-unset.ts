// weir prices unset

import type { PriceRule } from '../../../client/weir-client.js'
import { WeirError } from '../../core/weir-error.ts'
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
