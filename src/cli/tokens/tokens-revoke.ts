// weir tokens revoke

import { toTokenAnswer } from '../../api/contract.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { toId } from '../keys/key-view.ts'
import { noSuchToken } from './token-view.ts'
import { withSettings } from '../with-settings.ts'

export const tokensRevokeCommand: CommandBody = {
  usage: 'weir tokens revoke ID [options]',
  arguments: ['ID'],
  options: {},
  run: revokeToken,
}

async function revokeToken(input: CommandInput): Promise<number> {
  const id = toId(input.arguments[0] as string)
  const token = await withSettings(input, (settings) => settings.tokens.revoke(id))
  if (token === null) throw noSuchToken(id)
  if (input.isJson) printJson(input, toTokenAnswer(token, input.clock.now()))
  else input.out(`Access token ${id} (${token.name}) is revoked; the API refuses it from now on.`)
  return 0
}
