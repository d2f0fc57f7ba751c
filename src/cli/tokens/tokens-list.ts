// weir tokens list

import type { Token } from '../../../client/weir-client.js'
import { toTokenAnswer } from '../../api/contract.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { readFrom, URL_OPTION } from '../remote-place.ts'
import { formatTokens } from './token-view.ts'
import { withSettings } from '../with-settings.ts'

export const tokensListCommand: CommandBody = {
  usage: 'weir tokens list [options]',
  options: URL_OPTION,
  run: listTokens,
}

async function listTokens(input: CommandInput): Promise<number> {
  const tokens = await readFrom<readonly Token[]>(input, {
    scope: 'admin',
    here: async () => {
      const stored = await withSettings(input, (settings) => settings.tokens.list())
      return stored.map((token) => toTokenAnswer(token, input.clock.now()))
    },
    there: async (client) => (await client.tokens()).rows,
  })
  if (input.isJson) printJson(input, { tokens })
  else if (tokens.length > 0) input.out(formatTokens(tokens))
  else {
    const call = 'weir tokens create --name NAME --scope read:usage'
    input.out(`There are no access tokens yet. Create one: ${call}`)
  }
  return 0
}
