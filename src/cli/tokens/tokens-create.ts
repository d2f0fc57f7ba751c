// weir tokens create

import { toTokenAnswer } from '../../api/contract.ts'
import { TOKEN_SCOPES } from '../../core/api-key.ts'
import type { TokenScope } from '../../core/api-key.ts'
import { invalidArgument, listOption, printJson, textOption } from '../command.ts'
import type { CommandBody, CommandInput } from '../command.ts'
import { parseExpiry } from '../expiry.ts'
import { parseName } from '../name.ts'
import { withSettings } from '../with-settings.ts'

export const tokensCreateCommand: CommandBody = {
  usage: 'weir tokens create --name N --scope S [options]',
  options: {
    name: { type: 'string', value: 'N', about: 'a name for people', isRequired: true },
    scope: {
      type: 'string',
      multiple: true,
      value: 'S',
      about: `what it may do: ${TOKEN_SCOPES.join(', ')}`,
      isRequired: true,
    },
    expires: { type: 'string', value: 'WHEN', about: '2027-01-31, 2027-01-31T12:00Z, 30d, 12h' },
  },
  run: createToken,
}

async function createToken(input: CommandInput): Promise<number> {
  const expires = textOption(input, 'expires')
  const settings = {
    name: parseName(textOption(input, 'name') ?? ''),
    scopes: parseScopes(listOption(input, 'scope') ?? []),
    expiresAt: expires === undefined ? null : parseExpiry(expires, input.clock.now()),
  }
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

/** Each may be a list, separated by commas. */
function parseScopes(texts: readonly string[]): TokenScope[] {
  const asked = texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  const unknown = asked.filter((scope) => !(TOKEN_SCOPES as readonly string[]).includes(scope))
  if (unknown.length > 0) {
    const names = unknown.map((scope) => `"${scope}"`).join(', ')
    throw invalidArgument(`There is no scope ${names}.`, `Choose from: ${TOKEN_SCOPES.join(', ')}.`)
  }
  return TOKEN_SCOPES.filter((scope) => asked.includes(scope))
}
