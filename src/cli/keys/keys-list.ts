// weir keys list

import { toKeyAnswer } from '../../api/contract.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatKeys } from './key-view.ts'
import { withSettings } from '../with-settings.ts'

export const keysListCommand: CommandBody = {
  usage: 'weir keys list [options]',
  options: {},
  run: listKeys,
}

async function listKeys(input: CommandInput): Promise<number> {
  const keys = await withSettings(input, (settings) => settings.keys.list())
  const nowMs = input.clock.now()
  if (input.isJson) printJson(input, { keys: keys.map((key) => toKeyAnswer(key, nowMs)) })
  else if (keys.length > 0) input.out(formatKeys(keys, nowMs))
  else input.out('There are no keys yet. Create one: weir keys create --name NAME')
  return 0
}
