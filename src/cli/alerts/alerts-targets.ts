// weir alerts targets

import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { formatTargets, toTargetJson } from './target-view.ts'
import type { GeneralTarget } from './target-view.ts'
import { withSettings } from '../with-settings.ts'

export const alertsTargetsCommand: CommandBody = {
  usage: 'weir alerts targets [options]',
  options: URL_OPTION,
  run: listTargets,
}

async function listTargets(input: CommandInput): Promise<number> {
  const targets = await readFrom<readonly GeneralTarget[]>(input, {
    scope: 'read:usage',
    here: async () => {
      const all = await withSettings(input, (settings) => settings.targets.list())
      return all.filter(({ budgetId }) => budgetId === null).map(toTargetJson)
    },
    there: async (client) => {
      const general = (await client.targets()).rows.filter((row) => row.budget_id === null)
      return general.map((row) => {
        const { budget_id: _, ...target } = row
        return target
      })
    },
  })
  if (input.isJson) printJson(input, { targets })
  else if (targets.length > 0) input.out(formatTargets(targets))
  else {
    const call = 'weir alerts add --webhook URL, --slack URL or --email ADDRESS'
    input.out(`No one is notified of anomalies yet. Add a target: ${call}`)
  }
  return 0
}
