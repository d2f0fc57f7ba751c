// weir alerts test

import { loadConfig } from '../../config/config.ts'
import { WeirError } from '../../core/weir-error.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'
import { formatTested, testTargets, toTestedJson } from './test-targets.ts'
import { withSettings } from '../with-settings.ts'

export const alertsTestCommand: CommandBody = {
  usage: 'weir alerts test ID [options]',
  arguments: ['ID'],
  options: {},
  run: testTarget,
}

async function testTarget(input: CommandInput): Promise<number> {
  const id = input.arguments[0] as string
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  const all = await withSettings(input, ({ targets }) => targets.list())
  const target = all.find((each) => each.id === id)
  if (target === undefined) {
    const ids = all.map((each) => each.id)
    const places =
      'weir alerts targets shows the ids; weir budgets list --json shows those of budgets.'
    const hint = suggest(id, ids) ?? places
    throw new WeirError('not_found', `There is no target ${toPrintable(id)}.`, { hint })
  }
  const tested = await testTargets([target], config)
  if (input.isJson) for (const each of tested) printJson(input, toTestedJson(each))
  else input.out(formatTested(tested))
  return tested.every(({ isDelivered }) => isDelivered) ? 0 : 1
}
