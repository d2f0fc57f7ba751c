// weir tokens create, list and revoke

import type { Token } from '../../../client/weir-client.js'
import { TOKEN_FIELDS } from '../../resources/token.ts'
import { apiCommand, listCommand, toId } from '../api.ts'
import type { Api } from '../api.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { readFields, toOptions } from '../field-options.ts'
import { cutCell, formatTime } from '../table.ts'

const SHARED = { scope: 'admin', subject: { noun: 'access token', list: 'weir tokens list' } }

export const commands: Commands = {
  'tokens create': apiCommand({
    ...SHARED,
    canCreate: true,
    options: toOptions(TOKEN_FIELDS, { isNew: true }),
    run: create,
  }),
  'tokens list': listCommand<Token>({
    scope: 'admin',
    path: '/v1/tokens',
    name: 'tokens',
    none: 'There are no access tokens yet. Create one: weir tokens create --name NAME --scope read:usage',
    columns: {
      ID: ({ id }) => id,
      NAME: ({ name }) => cutCell(name),
      STATUS: ({ status }) => status,
      CREATED: (token) => formatTime(token.created_at),
      EXPIRES: (token) => formatTime(token.expires_at),
      'LAST USED': (token) => formatTime(token.last_used_at),
      SCOPES: ({ scopes }) => scopes.join(' '),
    },
  }),
  'tokens revoke': apiCommand({ ...SHARED, arguments: ['ID'], run: revoke }),
}

async function create(input: CommandInput, api: Api): Promise<Shown> {
  const body = readFields(TOKEN_FIELDS, input)
  const made = await api.send<Token & { readonly token: string }>('POST /v1/tokens', body)
  const text = [
    `Access token ${made.id} (${made.name}) was created with ${made.scopes.join(', ')}.`,
    '',
    `  ${made.token}`,
    '',
    'Save it now: the secret is not stored and is not shown again.',
    'Send it to the API in the header Authorization: Bearer TOKEN.',
  ].join('\n')
  return { json: made, text }
}

async function revoke(input: CommandInput, api: Api): Promise<Shown> {
  const id = toId(input.arguments[0] as string)
  const token = await api.send<Token>(`POST /v1/tokens/${encodeURIComponent(id)}/revoke`)
  const text = `Access token ${id} (${token.name}) is revoked; the API refuses it from now on.`
  return { json: token, text }
}
