// How a key is shown: its secret once, when it is created; its hash never.

import type { KeyRow } from '../../../client/weir-client.js'
import { toKeyAnswer } from '../../api/contract.ts'
import type { Config } from '../../config/config.ts'
import { hasStoredCredential } from '../../config/stored-credential.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { WeirError } from '../../core/weir-error.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import type { CommandInput } from '../command.ts'
import { printJson } from '../command.ts'
import { toTextColumns } from '../field-columns.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTable, formatTime } from '../table.ts'

const CELL_CHARS_MAX = 60

export function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

export function printSecretKey(
  input: CommandInput,
  made: ShownKey & { readonly credential: string; readonly more?: readonly string[] },
): void {
  const { key, credential, headline, sameName = [], more = [] } = made
  warnOfName(input, key, sameName)
  if (input.isJson) {
    const answer = toKeyAnswer(key, input.clock.now())
    printJson(input, { ...answer, same_name: sameName, key: credential })
    return
  }
  input.out(
    [
      headline,
      '',
      `  ${credential}`,
      '',
      'Save it now: the secret is not stored and is not shown again.',
      `Callers send it ${toPlaces(key)}. Every proxy accepts it within a second.`,
      ...more,
    ].join('\n'),
  )
}

function toPlaces({ useCredentials }: ApiKey): string {
  const header = 'in the header X-SVC-API-Key'
  if (useCredentials.length === 0) return header
  return `in the place of the key of ${useCredentials.join(', ')}, or ${header}`
}

export interface ShownKey {
  readonly key: ApiKey
  readonly headline: string
  /** Other keys of its name, where the name was given. */
  readonly sameName?: readonly string[]
}

export function printKey(input: CommandInput, { key, headline, sameName }: ShownKey): void {
  warnOfName(input, key, sameName ?? [])
  const answer = toKeyAnswer(key, input.clock.now())
  if (!input.isJson) input.out(`${headline}\n${formatKeys([answer])}`)
  else printJson(input, { ...answer, ...(sameName && { same_name: sameName }) })
}

function warnOfName(input: CommandInput, { name }: ApiKey, ids: readonly string[]): void {
  if (ids.length === 0) return
  input.err(`Warning: "${name}" is also the name of ${ids.join(', ')}.`)
}

export function warnOfMissingCredentials(
  input: CommandInput,
  { useCredentials }: ApiKey,
  config: Config,
): void {
  const missing = useCredentials.filter((id) => !hasStoredCredential(config, id))
  if (missing.length === 0) return
  const names = missing.map((id) => `providers.${id}.credential`).join(' and ')
  const what = `no credential is stored for ${missing.join(' and ')} yet`
  input.err(`Warning: ${what}: set ${names} in the configuration.`)
}

export type UsedKey = Omit<KeyRow, 'spent_usd'>

type ShownRow = Omit<UsedKey, 'last_used_at'> & Partial<Pick<UsedKey, 'last_used_at'>>

/** With when they were last used, where that was read. */
export function formatKeys(keys: readonly ShownRow[]): string {
  const about = toTextColumns(KEY_FIELDS, keys)
  const hasUse = keys.some((key) => key.last_used_at !== undefined)
  const rows = keys.map((key, at) => [
    key.id,
    cutCell(toPrintable(key.name), CELL_CHARS_MAX),
    ...about.map(({ cells }) => cells[at] ?? ''),
    key.status,
    formatTime(key.created_at),
    formatTime(key.expires_at),
    ...(key.last_used_at === undefined ? [] : [formatTime(key.last_used_at)]),
    cutCell(toPrintable(describeLimits(key)), CELL_CHARS_MAX),
  ])
  const used = hasUse ? ['LAST USED'] : []
  const texts = about.map(({ heading }) => heading)
  const heads = ['ID', 'NAME', ...texts, 'STATUS', 'CREATED', 'EXPIRES', ...used, 'LIMITS']
  return formatTable([heads, ...rows])
}

function describeLimits(key: ShownRow): string {
  const old = key.old_secret_ends_at
  const limits = [
    ...(key.allowed_models.length > 0 ? [`models ${key.allowed_models.join(' ')}`] : []),
    ...(key.allowed_providers.length > 0 ? [`providers ${key.allowed_providers.join(' ')}`] : []),
    ...(key.use_credentials.length > 0
      ? [`stored credentials ${key.use_credentials.join(' ')}`]
      : []),
    ...(key.allow_derived_tokens ? ['may make derived tokens'] : []),
    ...(key.rate_limit_rpm === null ? [] : [`${key.rate_limit_rpm} requests per minute`]),
    ...(key.max_parallel === null ? [] : [`${key.max_parallel} calls at once`]),
    ...(old === null ? [] : [`old secret until ${formatTime(old)}`]),
    ...(key.required_dims.length > 0 ? [`needs ${key.required_dims.join(' ')}`] : []),
  ]
  return limits.length === 0 ? 'none' : limits.join('; ')
}

/** Takes only the id if a whole credential was typed by mistake. */
export function toId(text: string): string {
  return text.split('.', 1)[0] as string
}

/** Throws `not_found`. Keys are revoked, never removed, so any that made a call is listed. */
export async function requireKey({ keys }: SettingsStore, id: string | null): Promise<void> {
  if (id === null) return
  if (!(await keys.list()).some((key) => key.id === id)) throw noSuchKey(id)
}

export function noSuchKey(id: string): WeirError {
  return new WeirError('not_found', `There is no key ${id}.`, {
    hint: 'Run weir keys list to list them.',
  })
}
