// Keys and tokens as they are shown. Must stay true: neither a secret nor its hash is in them.

import { hasScope, keyStatusOf, oldSecretOf, tokenStatusOf } from '../../core/api-key.ts'
import type { AccessToken, ApiKey } from '../../core/api-key.ts'
import type { Caller } from '../../core/caller.ts'
import { KEY_CODEC, TOKEN_CODEC } from '../../resources/codecs.ts'
import type { KeyAnswer, TokenRowAnswer } from './key-contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import type { KnownTeams } from '../teams/team-directory.ts'

export function toKeyAnswer(key: ApiKey, nowMs: number): KeyAnswer {
  return {
    id: key.id,
    status: keyStatusOf(key, nowMs),
    ...KEY_CODEC.toAnswer(key),
    created_at: toIso(key.createdAt),
    revoked_at: toIsoOrNull(key.revokedAt),
    paused_at: toIsoOrNull(key.pausedAt),
    old_secret_ends_at: toIsoOrNull(oldSecretOf(key, nowMs)?.endsAt ?? null),
    version: key.version,
  }
}

const ALWAYS_SEEN = ['id', 'version', 'key']

/** Who may change keys and not read them learns nothing but what it gave: the rest is left out. */
export function toSeen<Answer extends KeyAnswer>(
  answer: Answer,
  caller: Caller,
  given = {},
): Answer {
  if (hasScope(caller, 'read:keys')) return answer
  const seen = new Set([...ALWAYS_SEEN, ...Object.keys(given)])
  const members = Object.entries(answer).filter(([name]) => seen.has(name))
  return Object.fromEntries(members) as Answer
}

interface TokenFacts {
  readonly teams: KnownTeams
  readonly nowMs: number
}

export function toTokenAnswer(token: AccessToken, { teams, nowMs }: TokenFacts): TokenRowAnswer {
  return {
    id: token.id,
    status: tokenStatusOf(token, nowMs),
    ...TOKEN_CODEC.toAnswer(token),
    team: teams.byId.get(token.teamId ?? '')?.name ?? null,
    created_at: toIso(token.createdAt),
    revoked_at: toIsoOrNull(token.revokedAt),
    last_used_at: toIsoOrNull(token.lastUsedAt),
  }
}
