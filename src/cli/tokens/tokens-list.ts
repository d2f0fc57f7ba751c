// weir tokens list

import { toTokenAnswer } from '../../api/contract.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { formatTokens } from './token-view.ts'
import { withSettings } from '../with-settings.ts'

export const tokensListCommand: CommandBody = {
  usage: 'weir tokens list [options]',
  options: {},
  run: listTokens,
}

async function listTokens(input: CommandInput): Promise<number> {
  const tokens = await withSettings(input, (settings) => settings.tokens.list())
  const nowMs = input.clock.now()
  if (input.isJson) printJson(input, { tokens: tokens.map((token) => toTokenAnswer(token, nowMs)) })
  else if (tokens.length > 0) input.out(formatTokens(tokens, nowMs))
  else {
    const call = 'weir tokens create --name NAME --scope read:usage'
    input.out(`There are no access tokens yet. Create one: ${call}`)
  }
  return 0
}
