// weir alerts acknowledge, snooze and reopen: what people say of an incident.

import type { IncidentChange } from '../../api/contract.ts'
import { SNOOZE_MS_MAX } from '../../core/alerts/incident-mark.ts'
import { apiCommand } from '../api.ts'
import type { Api } from '../api.ts'
import { invalidArgument, option, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { parseExpiry } from '../expiry.ts'
import { formatTime } from '../table.ts'

const SNOOZE_USAGE = 'weir alerts snooze ID --until WHEN [options]'
const UNTIL = option(
  'WHEN',
  'a date (2027-01-31), a UTC time (2027-01-31T12:00Z) or a span (4h, 3d, at most 30d)',
)

const SHARED = {
  scope: 'write:budgets',
  subject: { noun: 'alert', list: 'weir alerts list' },
  arguments: ['ID'],
}

export const commands: Commands = {
  'alerts acknowledge': apiCommand({
    ...SHARED,
    run: (input, api) => mark(input, api, 'acknowledge'),
  }),
  'alerts snooze': apiCommand({
    ...SHARED,
    usage: SNOOZE_USAGE,
    options: { until: UNTIL },
    run: (input, api) => mark(input, api, 'snooze'),
  }),
  'alerts reopen': apiCommand({ ...SHARED, run: (input, api) => mark(input, api, 'reopen') }),
}

async function mark(
  input: CommandInput,
  api: Api,
  word: 'acknowledge' | 'snooze' | 'reopen',
): Promise<Shown> {
  const body = word === 'snooze' ? { until: readUntil(input) } : undefined
  const id = encodeURIComponent(input.arguments[0] as string)
  const change = await api.send<IncidentChange>(`POST /v1/alerts/${id}/${word}`, body)
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
