// weir alerts targets

import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatTargets, toTargetJson } from './target-view.ts'
import { withSettings } from '../with-settings.ts'

export const alertsTargetsCommand: CommandBody = {
  usage: 'weir alerts targets [options]',
  options: {},
  run: listTargets,
}

async function listTargets(input: CommandInput): Promise<number> {
  const all = await withSettings(input, (settings) => settings.targets.list())
  const targets = all.filter(({ budgetId }) => budgetId === null)
  if (input.isJson) printJson(input, { targets: targets.map(toTargetJson) })
  else if (targets.length > 0) input.out(formatTargets(targets))
  else {
    const call = 'weir alerts add --webhook URL, --slack URL or --email ADDRESS'
    input.out(`No one is notified of anomalies yet. Add a target: ${call}`)
  }
  return 0
}
