// How a key is shown: its secret once, when it is created.

import type { KeyRow } from '../../../client/weir-client.js'
import type { CreatedKeyAnswer, KeyAnswer } from '../../api/contract.ts'
import type { Config } from '../../config/config.ts'
import { hasStoredCredential } from '../../config/provider-credentials.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import type { CommandInput, Shown } from '../command.ts'
import { toTextColumns } from '../field-columns.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTable, formatTime } from '../table.ts'

export interface SecretWords {
  readonly headline: string
  readonly more?: readonly string[]
}

export function showSecretKey(
  input: CommandInput,
  key: CreatedKeyAnswer,
  { headline, more = [] }: SecretWords,
): Shown {
  warnOf(input, key)
  const text = [
    headline,
    '',
    `  ${key.key}`,
    '',
    'Save it now: the secret is not stored and is not shown again.',
    `Callers send it ${toPlaces(key)}. Every proxy accepts it within a second.`,
    ...more,
  ].join('\n')
  return { json: key, text }
}

/** Without read:keys a change is answered with the id alone, and what is new. */
type Seen = Pick<KeyAnswer, 'id'> & Partial<KeyAnswer>

export function nameKey({ id, name }: Seen): string {
  return name === undefined ? `Key ${id}` : `Key ${id} (${name})`
}

function toPlaces({ use_credentials: ids = [] }: Seen): string {
  const header = 'in the header X-SVC-API-Key'
  return ids.length === 0 ? header : `in the place of the key of ${ids.join(', ')}, or ${header}`
}

export function showKey(input: CommandInput, key: KeyAnswer, headline: string): Shown {
  warnOf(input, key)
  const { name }: Seen = key
  return { json: key, text: name === undefined ? headline : `${headline}\n${formatKeys([key])}` }
}

type Warned = Partial<Pick<CreatedKeyAnswer, 'same_name' | 'warnings'>>

/** Of what the answer to a change says besides the key itself. */
function warnOf({ err }: CommandInput, key: Pick<KeyAnswer, 'name'> & Warned): void {
  const { same_name: ids = [], warnings = [] } = key
  if (ids.length > 0) err(`Warning: "${key.name}" is also the name of ${ids.join(', ')}.`)
  for (const warning of warnings) err(`Warning: ${warning}`)
}

export function warnOfMissingCredentials(
  input: CommandInput,
  { use_credentials: ids }: KeyAnswer,
  config: Config,
): void {
  const missing = ids.filter((id) => !hasStoredCredential(config, id))
  if (missing.length === 0) return
  const names = missing.map((id) => `providers.${id}.credential`).join(' and ')
  const what = `no credential is stored for ${missing.join(' and ')} yet`
  input.err(`Warning: ${what}: set ${names} in the configuration.`)
}

type Read = Exclude<keyof KeyRow, keyof KeyAnswer>

/** What has to be read for it is there where it was. */
type ShownKey = Omit<KeyRow, Read> & Partial<Pick<KeyRow, Read>>

const TEXTS = {
  team: { ...KEY_FIELDS.team_id, column: { heading: 'TEAM', charsMax: 30 } },
  person: { ...KEY_FIELDS.person_id, column: { heading: 'PERSON', charsMax: 30 } },
  ...KEY_FIELDS,
  keeper: { ...KEY_FIELDS.owner, column: { heading: 'LOOKED AFTER BY', charsMax: 30 } },
}

/** With when they were last used, where that was read. */
export function formatKeys(keys: readonly ShownKey[]): string {
  const about = toTextColumns(
    TEXTS,
    keys.map((key) => ({ ...key, keeper: findKeeper(key) })),
  )
  const hasUse = keys.some((key) => key.last_used_at !== undefined)
  const rows = keys.map((key, at) => [
    key.id,
    cutCell(toPrintable(key.name)),
    ...about.map(({ cells }) => cells[at] ?? ''),
    key.state?.status ?? key.status,
    formatTime(key.created_at),
    formatTime(key.expires_at),
    ...(key.last_used_at === undefined ? [] : [formatTime(key.last_used_at)]),
    cutCell(toPrintable(describeLimits(key))),
  ])
  const used = hasUse ? ['LAST USED'] : []
  const texts = about.map(({ heading }) => heading)
  const heads = ['ID', 'NAME', ...texts, 'STATUS', 'CREATED', 'EXPIRES', ...used, 'LIMITS']
  return formatTable([heads, ...rows])
}

/** Where its owner cannot sign in any more. */
function findKeeper({ owner, owner_id: id, looked_after_by: keepers = [] }: ShownKey) {
  if (id == null || keepers.includes(owner?.toLowerCase() ?? '')) return null
  return keepers.length === 0 ? 'nobody' : keepers.join(', ')
}

function describeLimits(key: ShownKey): string {
  const old = key.old_secret_ends_at
  const { budgets = 0, used_up: usedUp = [] } = key.state ?? {}
  const list = (words: string, values: readonly string[]): string[] =>
    values.length === 0 ? [] : [`${words} ${values.join(' ')}`]
  const limits = [
    ...usedUp.map(({ name, resets_at: at }) => `"${name}" is used up until ${formatTime(at)}`),
    ...list('models', key.allowed_models),
    ...list('providers', key.allowed_providers),
    ...list('stored credentials', key.use_credentials),
    ...(key.allow_derived_tokens ? ['may make derived tokens'] : []),
    ...(key.rate_limit_rpm === null ? [] : [`${key.rate_limit_rpm} requests per minute`]),
    ...(key.max_parallel === null ? [] : [`${key.max_parallel} calls at once`]),
    ...(budgets === 0 ? [] : [budgets === 1 ? '1 budget' : `${budgets} budgets`]),
    ...(old === null ? [] : [`old secret until ${formatTime(old)}`]),
    ...list('needs', key.required_dims),
  ]
  return limits.length === 0 ? 'none' : limits.join('; ')
}
