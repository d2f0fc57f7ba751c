// weir keys revoke

import type { CommandBody, CommandInput } from '../command.ts'
import { noSuchKey, printKey, toId } from './key-view.ts'
import { withSettings } from '../with-settings.ts'

export const keysRevokeCommand: CommandBody = {
  usage: 'weir keys revoke ID [options]',
  arguments: ['ID'],
  options: {},
  run: revokeKey,
}

async function revokeKey(input: CommandInput): Promise<number> {
  const id = toId(input.arguments[0] as string)
  const key = await withSettings(input, (settings) => settings.keys.revoke(id))
  if (key === null) throw noSuchKey(id)
  const headline = `Key ${id} (${key.name}) is revoked; every proxy refuses it within a second.`
  printKey(input, { key, headline })
  return 0
}
