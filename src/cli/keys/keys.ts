// weir keys create, list, update, rotate, pause, resume, revoke and check

import type { KeyRow } from '../../../client/weir-client.js'
import type { ChangedKeyAnswer, CreatedKeyAnswer, KeyAnswer } from '../../api/contract.ts'
import { loadConfig } from '../../config/config.ts'
import { SHOWN_KEY_STATUSES } from '../../core/api-key.ts'
import { GRACE_MS_MAX } from '../../core/key-rules.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import { KEY_BUDGET_FIELDS } from '../../resources/key-budget.ts'
import { apiCommand, toId } from '../api.ts'
import type { Api } from '../api.ts'
import { flag, invalidArgument, option, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { parseSpan } from '../expiry.ts'
import {
  readCleared,
  readFields,
  toClearOption,
  toOptionNames,
  toOptions,
} from '../field-options.ts'
import { toPrintable } from '../printable.ts'
import { suggest } from '../suggest.ts'
import { formatTime } from '../table.ts'
import {
  formatKeys,
  nameKey,
  showKey,
  showSecretKey,
  warnOfMissingCredentials,
} from './key-view.ts'
import { checkCommand } from './keys-check.ts'
import { KEY, readKeys } from './read-keys.ts'

const SHARED = { scope: 'write:keys,read:keys', subject: KEY, members: toOptionNames(KEY_FIELDS) }
const ONE = { ...SHARED, arguments: ['ID'] }

export const commands: Commands = {
  'keys create': apiCommand({
    ...SHARED,
    canCreate: true,
    options: { ...toOptions(KEY_FIELDS, { isNew: true }), ...toOptions(KEY_BUDGET_FIELDS) },
    run: create,
  }),
  'keys list': apiCommand({
    scope: 'read:keys',
    options: {
      status: option('S', `only these: ${SHOWN_KEY_STATUSES.join(', ')}`),
      team: option('TEAM', 'only keys of this team, by its short name or id'),
    },
    run: list,
  }),
  'keys update': apiCommand({
    ...ONE,
    options: { ...toOptions(KEY_FIELDS), clear: toClearOption(KEY_FIELDS) },
    run: update,
  }),
  'keys rotate': apiCommand({
    ...ONE,
    options: {
      grace: option('SPAN', 'how long the old secret still works: 24h, 7d'),
      'end-grace': flag('no new secret: end the old one of the last rotation'),
    },
    run: rotate,
  }),
  'keys pause': apiCommand({
    ...ONE,
    run: act('pause', 'is paused; every proxy refuses it within a second, until it is resumed'),
  }),
  'keys resume': apiCommand({
    ...ONE,
    run: act('resume', 'may call again; every proxy takes it within a second'),
  }),
  'keys revoke': apiCommand({
    ...ONE,
    run: act('revoke', 'is revoked; every proxy refuses it within a second'),
  }),
  'keys check': checkCommand,
}

async function create(input: CommandInput, api: Api): Promise<Shown> {
  const budget = readBudget(input)
  const made = await api.send<CreatedKeyAnswer>('POST /v1/keys', {
    ...readFields(KEY_FIELDS, input),
    ...(budget !== null && { budget }),
  })
  const own = made.budget_id === undefined ? '' : ` with the budget ${made.budget_id}`
  const headline = `Key ${made.id} (${made.name}) was created${own}.`
  if (api.url === null) {
    warnOfMissingCredentials(input, made, loadConfig({ file: input.configFile }))
  }
  const { readSampleCall } = await import('./sample-call.ts')
  return showSecretKey(input, made, { headline, more: await readSampleCall(input, api, made) })
}

/** Null without one. */
function readBudget(input: CommandInput) {
  const budget = readFields(KEY_BUDGET_FIELDS, input)
  if (Object.keys(budget).length === 0) return null
  if (budget.limit_usd !== undefined) return budget
  throw new UsageError('A budget needs its limit.', 'Add --budget-usd X, such as --budget-usd 50.')
}

async function list(input: CommandInput, api: Api): Promise<Shown> {
  const status = textOption(input, 'status')
  if (status !== undefined && !SHOWN_KEY_STATUSES.some((each) => each === status)) {
    const hint = suggest(status, SHOWN_KEY_STATUSES) ?? `Choose: ${SHOWN_KEY_STATUSES.join(', ')}.`
    throw invalidArgument(`--status "${status}" is not a status of keys.`, hint)
  }
  const team = textOption(input, 'team')
  const keys = (await readKeys(api, { status, team })).map(toListed)
  if (keys.length === 0 && (status ?? team) !== undefined) {
    const which = team === undefined ? 'No key' : `No key of the team ${toPrintable(team)}`
    return { json: { keys }, text: `${which} is ${status ?? 'there yet'}.` }
  }
  const none = 'There are no keys yet. Create one: weir keys create --name NAME'
  return { json: { keys }, text: keys.length === 0 ? none : formatKeys(keys) }
}

/** What a key has spent is a question to weir usage. */
function toListed(key: KeyRow): Omit<KeyRow, 'spent_usd'> {
  const { spent_usd: _, ...listed } = key
  return listed
}

async function update(input: CommandInput, api: Api): Promise<Shown> {
  const change = { ...readCleared(KEY_FIELDS, input), ...readFields(KEY_FIELDS, input) }
  if (Object.keys(change).length === 0) {
    throw new UsageError('No change was given.', 'See weir keys update --help.')
  }
  const key = await api.send<ChangedKeyAnswer>(`PATCH ${toPath(input)}`, change)
  if (api.url === null && change.use_credentials !== undefined) {
    warnOfMissingCredentials(input, key, loadConfig({ file: input.configFile }))
  }
  const what = 'was changed; every proxy applies it within a second'
  return showKey(input, key, `${nameKey(key)} ${what}.`)
}

async function rotate(input: CommandInput, api: Api): Promise<Shown> {
  const grace = textOption(input, 'grace')
  if (input.values['end-grace'] === true) {
    if (grace !== undefined) {
      throw new UsageError('--grace and --end-grace contradict each other.', 'Give one of them.')
    }
    const key = await api.send<KeyAnswer>(`POST ${toPath(input)}/end-grace`)
    return showKey(input, key, `${nameKey(key)} has one secret now, the newest.`)
  }
  const body = { grace_seconds: parseGrace(grace) / 1000 }
  const made = await api.send<CreatedKeyAnswer>(`POST ${toPath(input)}/rotate`, body)
  const { old_secret_ends_at: endsAt }: Partial<CreatedKeyAnswer> = made
  const until = endsAt == null ? `for ${grace}` : `until ${formatTime(endsAt)}`
  const old = body.grace_seconds === 0 ? 'no longer works' : `works ${until}`
  const headline = `${nameKey(made)} has a new secret; the old one ${old}.`
  return showSecretKey(input, made, { headline })
}

function parseGrace(text: string | undefined): number {
  if (text === undefined || text === '0') return 0
  const ms = parseSpan(text) ?? -1
  if (ms >= 0 && ms <= GRACE_MS_MAX) return ms
  throw invalidArgument(`--grace "${text}" is not a span of at most 30d.`, 'Write 24h, 7d or 90m.')
}

function act(action: 'pause' | 'resume' | 'revoke', what: string) {
  return async (input: CommandInput, api: Api): Promise<Shown> => {
    const key = await api.send<KeyAnswer>(`POST ${toPath(input)}/${action}`)
    return showKey(input, key, `${nameKey(key)} ${what}.`)
  }
}

function toPath({ arguments: [id = ''] }: CommandInput): `/v1/keys/${string}` {
  return `/v1/keys/${encodeURIComponent(toId(id))}`
}
