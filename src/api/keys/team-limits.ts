// What a team lets its keys be. Judged when a key is made or changed, not per call: a key has what
// it was given. Must stay true: a key that a new limit of its team leaves behind can still be
// changed in everything else.

import { isPatternWithin } from '../../core/model-policy.ts'
import type { TeamSettings } from '../../core/teams/team.ts'
import type { KeySettings } from '../../resources/codecs.ts'
import { KEY_FIELDS } from '../../resources/key.ts'
import type { NewKeyBody } from './key-contract.ts'

const DAY_MS = 86_400_000

/** A sentence, or null where the key is within. */
type Judge = (team: TeamSettings, key: KeySettings, nowMs: number) => string | null

const JUDGES = {
  allowed_models: (team, { allowedModels: patterns, allowedProviders }) => {
    const [provider = null] = allowedProviders.length === 1 ? allowedProviders : []
    const isWithin = (pattern: string): boolean =>
      team.allowedModels.some((most) => isPatternWithin(pattern, most, provider))
    return isSubset(patterns, team.allowedModels, isWithin) ? null : atMost(team, 'allowedModels')
  },
  allowed_providers: (team, { allowedProviders: ids }) => {
    const isWithin = (id: string): boolean => team.allowedProviders.includes(id)
    return isSubset(ids, team.allowedProviders, isWithin) ? null : atMost(team, 'allowedProviders')
  },
  use_credentials: (team, key) =>
    key.useCredentials.every((id) => team.useCredentials.includes(id))
      ? null
      : atMost(team, 'useCredentials'),
  required_dims: ({ name, requiredDims }, key) =>
    requiredDims.every((dim) => key.requiredDims.includes(dim))
      ? null
      : `The team ${name} requires ${requiredDims.join(', ')}.`,
  rate_limit_rpm: ({ name, rateLimitRpm: most }, { rateLimitRpm: rpm }) =>
    most === null || (rpm !== null && rpm <= most)
      ? null
      : `The team ${name} allows ${most} calls a minute at most.`,
  // From now: a key can be extended, by so much each time.
  expires_at: ({ name, keyDaysMax: days }, { expiresAt }, nowMs) =>
    days === null || (expiresAt !== null && expiresAt <= nowMs + days * DAY_MS)
      ? null
      : `A key of the team ${name} expires within ${days} ${days === 1 ? 'day' : 'days'}.`,
} as const satisfies Readonly<Record<string, Judge>>

export type LimitedField = keyof typeof JUDGES

const LIMITED_FIELDS = Object.keys(JUDGES) as readonly LimitedField[]

export interface LimitFault {
  readonly field: LimitedField
  readonly text: string
}

/** Of both, none means everything. */
function isSubset(
  given: readonly string[],
  most: readonly string[],
  isWithin: (one: string) => boolean,
): boolean {
  return most.length === 0 || (given.length > 0 && given.every(isWithin))
}

function atMost(
  team: TeamSettings,
  limit: 'allowedModels' | 'allowedProviders' | 'useCredentials',
): string {
  return `The team ${team.name} allows ${team[limit].join(', ') || 'none'} at most.`
}

export function listLimitFaults(
  team: TeamSettings,
  key: KeySettings,
  nowMs: number,
): readonly LimitFault[] {
  return LIMITED_FIELDS.flatMap((field) => {
    const text = JUDGES[field](team, key, nowMs)
    return text === null ? [] : [{ field, text }]
  })
}

export interface KeyMove {
  readonly before: KeySettings
  readonly after: KeySettings
  /** Members that the change names. */
  readonly named: readonly string[]
}

/** Of a key that stays in its team: all that the change names, and what else it breaks. */
export function listChangeFaults(
  team: TeamSettings,
  { before, after, named }: KeyMove,
  nowMs: number,
): readonly LimitFault[] {
  const known = listLimitFaults(team, before, nowMs).map(({ field }) => field)
  return listLimitFaults(team, after, nowMs).filter(
    ({ field }) => named.includes(field) || !known.includes(field),
  )
}

/** `Allowed models: The team …`, for people. */
export function toLimitWarning({ field, text }: LimitFault): string {
  return `${KEY_FIELDS[field].label}: ${text}`
}

type Filled = Pick<NewKeyBody, LimitedField>

/** What is left out of a new key is what its team allows; what the team requires is added. */
export function withTeamLimits<Given extends Filled>(
  given: Given,
  team: TeamSettings,
  nowMs: number,
): Given {
  const providers = given.allowed_providers ?? [...team.allowedProviders]
  // A credential of a provider that the key may not call would be refused.
  const canCall = (id: string): boolean => providers.length === 0 || providers.includes(id)
  const { rate_limit_rpm: rpm = team.rateLimitRpm, expires_at: expiry } = given
  const lastMs = team.keyDaysMax === null ? null : nowMs + team.keyDaysMax * DAY_MS
  return {
    ...given,
    allowed_models: given.allowed_models ?? [...team.allowedModels],
    allowed_providers: providers,
    use_credentials: given.use_credentials ?? team.useCredentials.filter(canCall),
    required_dims: [...new Set([...(given.required_dims ?? []), ...team.requiredDims])],
    rate_limit_rpm: rpm,
    ...(expiry === undefined && lastMs !== null && { expires_at: new Date(lastMs).toISOString() }),
  }
}
