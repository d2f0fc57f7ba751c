// Users of the console, their sessions, and who changed what. Secrets appear only as hashes.

import type { TokenScope } from './api-key.ts'

/** Catches typing errors only; it does not prove that the address exists. */
export const EMAIL = /^[^\s@,;<>"]{1,64}@[^\s@,;<>"]{1,189}$/

export const USER_ROLES = ['admin', 'finance', 'viewer', 'none'] as const

/**
 * What a user may do in the whole company: `admin` changes everything, `finance` sees all and
 * changes prices and budgets, `viewer` sees all and changes nothing, `none` has their teams only.
 */
export type UserRole = (typeof USER_ROLES)[number]

/** What a role may do, as scopes of access tokens: one set of checks serves both. */
export const ROLE_SCOPES: Readonly<Record<UserRole, readonly TokenScope[]>> = {
  admin: ['admin'],
  finance: ['read:usage', 'read:keys', 'read:requests', 'write:budgets', 'write:prices'],
  viewer: ['read:usage', 'read:keys', 'read:requests'],
  none: [],
}

/** A user at an identity provider: never reassigned, unlike an address (OpenID Connect Core, 2). */
export interface OidcSubject {
  readonly issuer: string
  readonly subject: string
}

/** What the company's directory calls a user that it keeps here by SCIM. */
export interface Provisioned {
  /** Any text without regard to case; of most directories an address. */
  readonly userName: string
  readonly externalId: string | null
}

export interface User {
  readonly id: string
  /** In lower case; no two users share one. */
  readonly email: string
  readonly name: string
  readonly role: UserRole
  /** As accounts/passwords.ts writes it; null where none was set. */
  readonly passwordHash: string | null
  readonly subject: OidcSubject | null
  /** Null while no directory has taken the user on. */
  readonly provisioned: Provisioned | null
  /** Of the last sign-in: groups that gave nothing here. */
  readonly unknownGroups: readonly string[]
  readonly createdAt: number
  readonly disabledAt: number | null
  readonly lastSignInAt: number | null
  /** Rises with every change; signing in is none. */
  readonly version: number
}

export const LINK_VALID_MS = 259_200_000

export interface Session {
  readonly id: string
  readonly userId: string
  readonly createdAt: number
  /** It ends then in any case. */
  readonly expiresAt: number
  readonly lastSeenAt: number
  readonly rotatedAt: number
  readonly agent: string | null
  readonly address: string | null
}

/**
 * user     a user of the console
 * token    a program with an access token
 * command  a user of the machine, by the command line
 * system   Weir
 */
export type ActorKind = 'user' | 'token' | 'command' | 'system'

export interface Actor {
  readonly kind: ActorKind
  /** A user's or a token's; null for the others. */
  readonly id: string | null
  /** The name for people: an email address, a token's name, a user of the machine. */
  readonly name: string
}

export function toUserActor({ id, email }: Pick<User, 'id' | 'email'>): Actor {
  return { kind: 'user', id, name: email }
}

export const AUDIT_ACTIONS = [
  'key.create',
  'key.update',
  'key.rotate',
  'key.end_grace',
  'key.pause',
  'key.resume',
  'key.revoke',
  'token.create',
  'token.revoke',
  'budget.create',
  'budget.update',
  'budget.delete',
  'target.create',
  'target.delete',
  'alert.acknowledge',
  'alert.snooze',
  'alert.reopen',
  'price.set',
  'price.unset',
  'price.import',
  'usage.reprice',
  'team.adopt',
  'team.create',
  'team.update',
  'team.archive',
  'team.restore',
  'team.join',
  'team.leave',
  'ask.create',
  'ask.approve',
  'ask.decline',
  'ask.close',
  'user.create',
  'user.update',
  'user.delete',
  'user.link',
  'user.password',
  'group.create',
  'group.update',
  'group.delete',
  'view.create',
  'view.update',
  'view.delete',
  'session.begin',
  'session.refuse',
  'session.end',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** One line of the audit log. Must stay true: no secret, and no hash of one, is ever in it. */
export interface AuditEntry {
  /** Grows with every line. */
  readonly number: number
  readonly at: number
  readonly actor: Actor
  readonly action: AuditAction
  /** The id of what was changed; null where it has none. */
  readonly subjectId: string | null
  readonly subjectName: string | null
  /** What changed, by name: before and after. Of something new or removed, one side is absent. */
  readonly changes: Readonly<Record<string, AuditChange>>
}

/** As JSON would write it. */
export interface AuditChange {
  readonly before?: unknown
  readonly after?: unknown
}

export type NewAuditEntry = Pick<AuditEntry, 'action' | 'subjectId' | 'subjectName' | 'changes'>
