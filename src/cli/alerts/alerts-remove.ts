// weir alerts remove

import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toPrintable } from '../printable.ts'
import { findTarget, toTargetJson } from './target-view.ts'
import { withSettings } from '../with-settings.ts'

export const alertsRemoveCommand: CommandBody = {
  usage: 'weir alerts remove ID [options]',
  arguments: ['ID'],
  options: {},
  run: removeTarget,
}

async function removeTarget(input: CommandInput): Promise<number> {
  const id = input.arguments[0] as string
  const target = await withSettings(input, async ({ targets }) => {
    const found = findTarget(await targets.list(), id)
    await targets.remove(id)
    return found
  })
  if (input.isJson) printJson(input, toTargetJson(target))
  else
    input.out(`${target.kind} ${toPrintable(target.address)} was removed and gets no more alerts.`)
  return 0
}
