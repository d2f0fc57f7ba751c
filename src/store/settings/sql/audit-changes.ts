// What the audit log says of a change, before and after, by the API's names. Must stay true: it
// contains no secret, no hash of one and no whole webhook address.

import type { AlertTarget, TargetKind } from '../../../core/alert.ts'
import { toSafeAddress } from '../../../core/alert.ts'
import type { AccessToken, ApiKey } from '../../../core/api-key.ts'
import type { Budget } from '../../../core/budget.ts'
import { formatMoney } from '../../../core/money.ts'
import type { PriceRule } from '../../../core/price-rule.ts'
import type { Member, Team } from '../../../core/teams/team.ts'
import type { AuditChange, User } from '../../../core/user.ts'
import {
  BUDGET_CODEC,
  KEY_CODEC,
  TEAM_CODEC,
  TOKEN_CODEC,
  USER_CODEC,
} from '../../../resources/codecs.ts'
import type { ImportedPrices } from '../price-store.ts'

export type AuditFacts = Readonly<Record<string, unknown>>

type Changes = Readonly<Record<string, AuditChange>>

/** What differs. Null: it did not exist before or after; empty values are then left out. */
export function toChanges(before: AuditFacts | null, after: AuditFacts | null): Changes {
  const names = Object.keys({ ...before, ...after })
  const entries = names.flatMap((name): [string, AuditChange][] => {
    const [old, now] = [before?.[name] ?? null, after?.[name] ?? null]
    if (before === null) return isEmpty(now) ? [] : [[name, { after: now }]]
    if (after === null) return isEmpty(old) ? [] : [[name, { before: old }]]
    const isSame = JSON.stringify(old) === JSON.stringify(now)
    return isSame ? [] : [[name, { before: old, after: now }]]
  })
  return Object.fromEntries(entries)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

export function toKeyFacts(key: ApiKey): AuditFacts {
  return {
    ...KEY_CODEC.toFacts(key),
    revoked_at: toTime(key.revokedAt),
    paused_at: toTime(key.pausedAt),
    old_secret_ends_at: toTime(key.oldSecret?.endsAt ?? null),
  }
}

export function toTeamFacts(team: Team): AuditFacts {
  return { ...TEAM_CODEC.toFacts(team), archived_at: toTime(team.archivedAt) }
}

/** The person in each line, also where only the role changes. */
export function toMemberChanges(before: Member | null, after: Member | null): Changes {
  const facts = (member: Member | null) => member && { role: member.role, source: member.source }
  const person = after === null ? { before: before?.email } : { after: after.email }
  return { person, ...toChanges(facts(before), facts(after)) }
}

export function toTokenFacts(token: AccessToken): AuditFacts {
  return { ...TOKEN_CODEC.toFacts(token), revoked_at: toTime(token.revokedAt) }
}

export function toBudgetFacts(budget: Budget): AuditFacts {
  const { defaultOf, ownLimits } = budget
  const limits = Object.entries(ownLimits ?? {})
  return {
    ...BUDGET_CODEC.toFacts(budget),
    ...(defaultOf !== undefined && { default_of: defaultOf }),
    ...(limits.length > 0 && {
      own_limits: Object.fromEntries(limits.map(([id, picos]) => [id, formatMoney(BigInt(picos))])),
    }),
  }
}

/** What is created or removed with it. */
export function toBudgetTargets(targets: readonly AlertTarget[]): AuditFacts {
  return { targets: targets.map((target) => ({ id: target.id, ...toPlace(target) })) }
}

export function toTargetFacts(target: AlertTarget): AuditFacts {
  return { ...toPlace(target), budget_id: target.budgetId }
}

function toPlace(target: AlertTarget): { readonly kind: TargetKind; readonly address: string } {
  return { kind: target.kind, address: toSafeAddress(target) }
}

export function toRuleFacts({
  provider,
  model,
  tier,
  price,
  note,
  ...rule
}: PriceRule): AuditFacts {
  return {
    provider,
    model,
    tier,
    effective_from: toTime(rule.effectiveFrom),
    rates: price.kind === 'rates' ? price.rates : null,
    multiplier: price.kind === 'multiplier' ? price.factor : null,
    note,
  }
}

/** Only the size of the text. */
export function toImportFacts(imported: Omit<ImportedPrices, 'importedAt' | 'who'>): AuditFacts {
  const { version, publishedAt, text } = imported
  return { version, published_at: toTime(publishedAt), bytes: Buffer.byteLength(text) }
}

export function toUserFacts(user: User): AuditFacts {
  return {
    ...USER_CODEC.toFacts(user),
    has_password: user.passwordHash !== null,
    is_disabled: user.disabledAt !== null,
    oidc_issuer: user.subject?.issuer ?? null,
    oidc_subject: user.subject?.subject ?? null,
    user_name: user.provisioned?.userName ?? null,
    external_id: user.provisioned?.externalId ?? null,
    unknown_groups: user.unknownGroups,
  }
}

export function toTime(timeMs: number): string
export function toTime(timeMs: number | null): string | null
export function toTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString()
}
