// weir alerts add

import { createTargetCheck } from '../../alerts/alert-targets.ts'
import { loadConfig } from '../../config/config.ts'
import type { AlertTarget } from '../../core/alert.ts'
import { checkTargets, readTargets, TARGET_OPTIONS } from '../budgets/budget-options.ts'
import { describeSecrets } from '../budgets/budget-view.ts'
import { printJson, UsageError } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatTargets, toTargetJson } from './target-view.ts'
import { withSettings } from '../with-settings.ts'

export const alertsAddCommand: CommandBody = {
  usage: 'weir alerts add --webhook URL | --slack URL | --email ADDRESS [options]',
  options: TARGET_OPTIONS,
  run: addTargets,
}

async function addTargets(input: CommandInput): Promise<number> {
  const targets = readTargets(input)
  if (targets.length === 0) {
    throw new UsageError('No target was given.', `Usage: ${alertsAddCommand.usage}`)
  }
  const config = loadConfig(input.configFile === undefined ? {} : { file: input.configFile })
  const made = await withSettings(
    input,
    async (settings) => {
      const known = (await settings.targets.list()).filter(({ budgetId }) => budgetId === null)
      await checkTargets(targets, known, createTargetCheck(config))
      return settings.targets.createAll(targets, null)
    },
    { canCreate: true },
  )
  if (input.isJson) printJson(input, { targets: made.map(toMadeJson) })
  else {
    const headline = 'These now receive alerts that belong to no budget, such as anomalies:'
    input.out(
      [headline, formatTargets(made.map(toTargetJson)), ...describeSecrets(made)].join('\n'),
    )
  }
  return 0
}

function toMadeJson(target: AlertTarget): Record<string, unknown> {
  const { secret } = target
  return { ...toTargetJson(target), ...(secret !== null && { secret }) }
}
