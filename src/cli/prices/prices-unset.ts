// weir prices unset

import { toRuleAnswer } from '../../api/prices/price-rows.ts'
import { unsetPrice } from '../../pricing/service/price-change.ts'
import { printJson } from '../command.ts'
import type { CommandBody } from '../command.ts'
import { loadCommandConfig } from './load-prices.ts'
import { describePrice } from './price-rule-view.ts'
import { withSettings } from '../with-settings.ts'

export const pricesUnsetCommand: CommandBody = {
  usage: 'weir prices unset ID [options]',
  arguments: ['ID'],
  options: {},
  run: async (input) => {
    const config = loadCommandConfig(input)
    const id = input.arguments[0] as string
    const { rule } = await withSettings(input, (settings) => unsetPrice(settings, config, id))
    if (input.isJson) {
      printJson(input, { removed: rule === null ? id : toRuleAnswer(rule, 'command') })
      return 0
    }
    const what =
      rule === null
        ? 'The imported prices were removed; the bundled ones apply now.'
        : `Price rule ${rule.id} was removed: ${rule.provider} ${rule.model}, ${describePrice(rule)}.`
    input.out(`${what}\nCalls that are recorded already keep their cost.`)
    return 0
  },
}
