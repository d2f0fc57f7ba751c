// How a key is shown: its secret once, when it is created; its hash never.

import { toKeyAnswer } from '../../api/contract.ts'
import type { ApiKey } from '../../core/api-key.ts'
import { statusOf } from '../../core/api-key.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { SettingsStore } from '../../store/open-store.ts'
import type { CommandInput } from '../command.ts'
import { printJson } from '../command.ts'
import { cutCell, formatMoment, formatTable } from '../table.ts'

const CELL_CHARS_MAX = 60

export function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

export function printSecretKey(
  input: CommandInput,
  made: { readonly key: ApiKey; readonly credential: string; readonly headline: string },
): void {
  const { key, credential, headline } = made
  if (input.isJson) {
    printJson(input, { ...toKeyAnswer(key, input.clock.now()), key: credential })
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

export function printKey(input: CommandInput, key: ApiKey, headline: string): void {
  if (input.isJson) printJson(input, toKeyAnswer(key, input.clock.now()))
  else input.out(`${headline}\n${formatKeys([key], input.clock.now())}`)
}

export function formatKeys(keys: readonly ApiKey[], nowMs: number): string {
  const rows = keys.map((key) => [
    key.id,
    cutCell(key.name, CELL_CHARS_MAX),
    statusOf(key, nowMs),
    formatMoment(key.createdAt),
    formatMoment(key.expiresAt),
    cutCell(describeLimits(key), CELL_CHARS_MAX),
  ])
  return formatTable([['ID', 'NAME', 'STATUS', 'CREATED', 'EXPIRES', 'LIMITS'], ...rows])
}

function describeLimits(key: ApiKey): string {
  const limits = [
    ...(key.allowedModels.length > 0 ? [`models ${key.allowedModels.join(' ')}`] : []),
    ...(key.allowedProviders.length > 0 ? [`providers ${key.allowedProviders.join(' ')}`] : []),
    ...(key.rateLimitRpm === null ? [] : [`${key.rateLimitRpm} requests per minute`]),
    ...(key.maxParallel === null ? [] : [`${key.maxParallel} calls at once`]),
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
