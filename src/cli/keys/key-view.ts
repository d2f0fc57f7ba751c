// How a key is shown: its secret once, when it is created; its hash never.

import { toKeyAnswer } from '../../api/contract.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { oldSecretOf, statusOf } from '../../core/api-key.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import type { CommandInput } from '../command.ts'
import { printJson } from '../command.ts'
import { cutCell, formatMoment, formatTable } from '../table.ts'

const CELL_CHARS_MAX = 60
const OWNER_CELL_CHARS_MAX = 30

export function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

export function printSecretKey(
  input: CommandInput,
  made: ShownKey & { readonly credential: string },
): void {
  const { key, credential, headline, sameName = [] } = made
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
      'Callers send it in the header X-SVC-API-Key. Every proxy accepts it within a second.',
    ].join('\n'),
  )
}

export interface ShownKey {
  readonly key: ApiKey
  readonly headline: string
  /** Other keys of its name, where the name was given. */
  readonly sameName?: readonly string[]
}

export function printKey(input: CommandInput, { key, headline, sameName }: ShownKey): void {
  warnOfName(input, key, sameName ?? [])
  const nowMs = input.clock.now()
  if (!input.isJson) input.out(`${headline}\n${formatKeys([key], nowMs)}`)
  else printJson(input, { ...toKeyAnswer(key, nowMs), ...(sameName && { same_name: sameName }) })
}

function warnOfName(input: CommandInput, { name }: ApiKey, ids: readonly string[]): void {
  if (ids.length === 0) return
  input.err(`Warning: "${name}" is also the name of ${ids.join(', ')}.`)
}

/** With when they were last used, where that was read. */
export function formatKeys(
  keys: readonly ApiKey[],
  nowMs: number,
  uses?: ReadonlyMap<string, number>,
): string {
  const hasOwner = keys.some(({ owner }) => owner !== null)
  const rows = keys.map((key) => [
    key.id,
    cutCell(key.name, CELL_CHARS_MAX),
    ...(hasOwner ? [cutCell(key.owner ?? '', OWNER_CELL_CHARS_MAX)] : []),
    statusOf(key, nowMs),
    formatMoment(key.createdAt),
    formatMoment(key.expiresAt),
    ...(uses === undefined ? [] : [formatMoment(uses.get(key.id) ?? null)]),
    cutCell(describeLimits(key, nowMs), CELL_CHARS_MAX),
  ])
  const owner = hasOwner ? ['OWNER'] : []
  const used = uses === undefined ? [] : ['LAST USED']
  const heads = ['ID', 'NAME', ...owner, 'STATUS', 'CREATED', 'EXPIRES', ...used, 'LIMITS']
  return formatTable([heads, ...rows])
}

function describeLimits(key: ApiKey, nowMs: number): string {
  const old = oldSecretOf(key, nowMs)
  const limits = [
    ...(key.allowedModels.length > 0 ? [`models ${key.allowedModels.join(' ')}`] : []),
    ...(key.allowedProviders.length > 0 ? [`providers ${key.allowedProviders.join(' ')}`] : []),
    ...(key.rateLimitRpm === null ? [] : [`${key.rateLimitRpm} requests per minute`]),
    ...(key.maxParallel === null ? [] : [`${key.maxParallel} calls at once`]),
    ...(old === null ? [] : [`old secret until ${formatMoment(old.endsAt)}`]),
    ...(key.requiredDims.length > 0 ? [`needs ${key.requiredDims.join(' ')}`] : []),
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
