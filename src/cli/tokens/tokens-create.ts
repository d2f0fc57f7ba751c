// weir tokens create

import { toTokenAnswer } from '../../api/contract.ts'
import { TOKEN_CODEC } from '../../resources/codecs.ts'
import { TOKEN_FIELDS } from '../../resources/token.ts'
import { printJson } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { readFields, toOptions } from '../field-options.ts'
import { withSettings } from '../with-settings.ts'

export const tokensCreateCommand: CommandBody = {
  usage: 'weir tokens create --name N --scope S [options]',
  options: toOptions(TOKEN_FIELDS, { isNew: true }),
  run: createToken,
}

async function createToken(input: CommandInput): Promise<number> {
  const settings = TOKEN_CODEC.fromNew({ name: '', scopes: [], ...readFields(TOKEN_FIELDS, input) })
  const made = await withSettings(input, (store) => store.tokens.create(settings), {
    canCreate: true,
  })
  const { token, credential } = made
  if (input.isJson) {
    printJson(input, { ...toTokenAnswer(token, input.clock.now()), token: credential })
    return 0
  }
  input.out(
    [
      `Access token ${token.id} (${token.name}) was created with ${token.scopes.join(', ')}.`,
      '',
      `  ${credential}`,
      '',
      'Save it now: the secret is not stored and is not shown again.',
      'Send it to the API in the header Authorization: Bearer TOKEN.',
    ].join('\n'),
  )
  return 0
}
