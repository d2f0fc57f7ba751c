// weir tokens create, list and revoke

import type { Token } from '../../../client/weir-client.js'
import { TOKEN_FIELDS } from '../../resources/token.ts'
import { apiCommand, toId } from '../api.ts'
import type { Api } from '../api.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { readFields, toOptionNames, toOptions } from '../field-options.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatRows, formatTime } from '../table.ts'

const SHARED = {
  scope: 'admin',
  subject: { noun: 'access token', list: 'weir tokens list' },
  members: toOptionNames(TOKEN_FIELDS),
}

export const commands: Commands = {
  'tokens create': apiCommand({
    ...SHARED,
    canCreate: true,
    options: toOptions(TOKEN_FIELDS, { isNew: true }),
    run: create,
  }),
  'tokens list': apiCommand({ scope: 'admin', run: list }),
  'tokens revoke': apiCommand({ ...SHARED, arguments: ['ID'], run: revoke }),
}

const NONE =
  'There are no access tokens yet. Create one: weir tokens create --name NAME --scope read:usage'

async function list(_: CommandInput, api: Api): Promise<Shown> {
  const tokens = await api.list<Token>('/v1/tokens')
  const hasTeams = tokens.some(({ team }) => team !== null)
  const text = formatRows(tokens, {
    ID: ({ id }) => id,
    NAME: ({ name }) => cutCell(name),
    ...(hasTeams && { TEAM: ({ team }: Token) => cutCell(team ?? '') }),
    STATUS: ({ status }) => status,
    CREATED: (token) => formatTime(token.created_at),
    EXPIRES: (token) => formatTime(token.expires_at),
    'LAST USED': (token) => formatTime(token.last_used_at),
    SCOPES: ({ scopes }) => scopes.join(' '),
  })
  return { json: { tokens }, text: tokens.length === 0 ? NONE : text }
}

async function create(input: CommandInput, api: Api): Promise<Shown> {
  const body = readFields(TOKEN_FIELDS, input)
  const made = await api.send<Token & { readonly token: string }>('POST /v1/tokens', body)
  const where = made.team === null ? '' : `, for the team ${toPrintable(made.team)} alone`
  const text = [
    `Access token ${made.id} (${made.name}) was created with ${made.scopes.join(', ')}${where}.`,
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
