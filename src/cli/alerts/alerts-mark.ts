// weir alerts acknowledge, snooze and reopen: what people say of an incident.

import type { IncidentChange } from '../../api/contract.ts'
import { SNOOZE_MS_MAX } from '../../core/alerts/incident-mark.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { invalidArgument, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { parseExpiry } from '../expiry.ts'
import { formatTime } from '../table.ts'

const SNOOZE_USAGE = 'weir alerts snooze ID --until WHEN [options]'
const UNTIL = {
  type: 'string',
  value: 'WHEN',
  about: 'a date (2027-01-31), a UTC time (2027-01-31T12:00Z) or a span (4h, 3d, at most 30d)',
} as const

const SHARED = {
  scope: 'write:budgets',
  subject: { noun: 'alert', list: 'weir alerts list' },
  arguments: ['ID'],
}

export const commands: Commands = {
  'alerts acknowledge': apiCommand({
    ...SHARED,
    run: (input, api) => mark(input, api, { word: 'acknowledge' }),
  }),
  'alerts snooze': apiCommand({
    ...SHARED,
    usage: SNOOZE_USAGE,
    options: { until: UNTIL },
    run: async (input, api) => {
      return mark(input, api, { word: 'snooze', body: { until: readUntil(input) } })
    },
  }),
  'alerts reopen': apiCommand({
    ...SHARED,
    run: (input, api) => mark(input, api, { word: 'reopen' }),
  }),
}

interface Mark {
  readonly word: string
  readonly body?: object
}

async function mark(
  { arguments: [id = ''] }: CommandInput,
  api: Api,
  { word, body }: Mark,
): Promise<Shown> {
  const route = `POST /v1/alerts/${encodeURIComponent(id)}/${word}` as const
  const change = await api.send<IncidentChange>(route, body)
  return { json: change, text: describe(change) }
}

function readUntil(input: CommandInput): string {
  const text = textOption(input, 'until')
  if (text === undefined) {
    throw new UsageError('--until is missing.', `Usage: ${SNOOZE_USAGE}`)
  }
  const nowMs = input.clock.now()
  const until = parseExpiry(text, nowMs)
  if (until <= nowMs + SNOOZE_MS_MAX) return new Date(until).toISOString()
  const hint = 'To hide an incident for good: weir alerts acknowledge.'
  throw invalidArgument(`--until "${text}" is not at most 30 days away.`, hint)
}

function describe({ state, snoozed_until: until }: IncidentChange): string {
  if (state === 'acknowledged') return 'The incident is acknowledged.'
  if (state !== 'snoozed' || until === null) return 'The incident is open.'
  return `The incident is snoozed until ${formatTime(until)}, or until its excess is more than twice as large.`
}
