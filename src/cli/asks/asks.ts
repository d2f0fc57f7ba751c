// weir asks list, approve and decline

import type { Ask, AskList } from '../../../client/weir-client.js'
import { ASK_STATUSES } from '../../core/asks/ask.ts'
import { BUDGET_FIELDS } from '../../resources/budget.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { option, textOption } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { readFields } from '../field-options.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatRows, formatTime } from '../table.ts'
import { formatUsd } from '../usage/usage-amounts.ts'

const ASK = { noun: 'ask', list: 'weir asks list' }
const DECIDE = {
  scope: 'write:budgets,read:keys',
  subject: ASK,
  arguments: ['ID'],
  members: { amount_usd: '--limit-usd', note: '--note' },
}
const NOTE = option('TEXT', 'what the person is told')

export const commands: Commands = {
  'asks list': apiCommand({
    scope: 'read:keys',
    options: {
      status: option('S', `only these: ${ASK_STATUSES.join(', ')}`),
      team: option('TEAM', 'only of this team'),
    },
    run: list,
  }),
  'asks approve': apiCommand({
    ...DECIDE,
    options: { 'limit-usd': option('X', 'another limit than was asked for, in USD'), note: NOTE },
    run: (input, api) => decide(input, api, 'approve'),
  }),
  'asks decline': apiCommand({
    ...DECIDE,
    options: { note: NOTE },
    run: (input, api) => decide(input, api, 'decline'),
  }),
}

async function list(input: CommandInput, api: Api): Promise<Shown> {
  const query = { status: textOption(input, 'status'), team: textOption(input, 'team') }
  const { rows: asks } = await api.get<AskList>('/v1/asks', query)
  return { json: { asks }, text: asks.length === 0 ? 'Nobody asks for more.' : formatAsks(asks) }
}

async function decide(input: CommandInput, api: Api, act: 'approve' | 'decline'): Promise<Shown> {
  const [id = ''] = input.arguments
  const { limit_usd: amount } = readFields({ limit_usd: BUDGET_FIELDS.limit_usd }, input)
  const note = textOption(input, 'note')
  const ask = await api.send<Ask>(`POST /v1/asks/${encodeURIComponent(id)}/${act}`, {
    ...(amount !== undefined && { amount_usd: amount }),
    ...(note !== undefined && { note }),
  })
  const limit =
    ask.granted_usd === null ? '' : ` The limit is ${formatUsd(ask.granted_usd)} USD now.`
  const text = `What ${toPrintable(ask.person)} asked for is ${ask.status}.${limit}`
  return { json: ask, text }
}

function formatAsks(asks: readonly Ask[]): string {
  const usd = (amount: number | null): string => (amount === null ? '' : formatUsd(amount))
  return formatRows(asks, {
    ID: ({ id }) => id,
    WHO: ({ person }) => cutCell(person),
    TEAM: ({ team, team_id: id }) => cutCell(team ?? id),
    KEY: ({ key, key_id: id }) => cutCell(key ?? id ?? ''),
    BUDGET: ({ budget, kind }) => cutCell(budget ?? (kind === 'limit' ? '(a limit)' : '')),
    'HAS USD': ({ limit_usd: limit }) => usd(limit),
    'ASKS FOR': ({ amount_usd: amount }) => usd(amount),
    STATUS: ({ status }) => status,
    MADE: ({ created_at: at }) => formatTime(at),
    NOTE: ({ note }) => cutCell(note ?? ''),
  })
}
