// From claims to an identity. Must stay true: unverified emails are marked, and groups of which the
// token says only that there are too many are not taken for none.

import type { OidcSubject, UserRole } from '../../core/user.ts'
import { toGroups } from '../../accounts/group-rules.ts'
import type { GroupNames } from '../../accounts/group-rules.ts'
import { newUserSchema } from '../contract.ts'
import type { OidcClaims } from '../../accounts/oidc-client.ts'
import type { OidcOptions } from '../../accounts/sign-in-options.ts'

const ANYONE = '*'

export interface OidcIdentity {
  readonly subject: OidcSubject
  readonly email: string
  readonly isVerified: boolean
  readonly name: string
  /** By the values of its claim; null where none of them is there. */
  readonly role: UserRole | null
  /** Null where the provider did not say. */
  readonly groups: readonly GroupNames[] | null
  /** What a directory may call this user as well. */
  readonly externalIds: readonly unknown[]
}

export function toIdentity(
  claims: OidcClaims,
  options: OidcOptions,
): OidcIdentity | 'oidc_no_email' {
  const email = newUserSchema.shape.email.safeParse(claims['email'])
  if (!email.success) return 'oidc_no_email'
  const name = newUserSchema.shape.name.safeParse(claims['name'])
  return {
    subject: { issuer: String(claims['iss']), subject: String(claims['sub']) },
    email: email.data,
    isVerified: claims['email_verified'] === true,
    name: name.success ? name.data : email.data.slice(0, email.data.indexOf('@')),
    role: toRole(readClaim(claims, options.roleClaim), options),
    groups: isOverage(claims, options.groupsClaim)
      ? null
      : toGroups(readClaim(claims, options.groupsClaim)),
    // Entra's `sub` differs from client to client; `oid` is the user's id.
    externalIds: [claims['sub'], claims['oid']],
  }
}

/** Too many for the token: it names another place to read them (OpenID Connect Core, 5.6.2). */
function isOverage(claims: OidcClaims, name: string): boolean {
  const elsewhere = claims['_claim_names']
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, name)
}

/** Some providers nest it: `realm_access.roles`. A name that contains dots is tried first. */
function readClaim(claims: OidcClaims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let value: unknown = claims
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[part]
  }
  return value
}

function toRole(claim: unknown, options: OidcOptions): UserRole | null {
  const given = (Array.isArray(claim) ? claim : [claim]).filter((each) => typeof each === 'string')
  const hasOne = (values: readonly string[]): boolean =>
    values.some((value) => value === ANYONE || given.includes(value))
  if (hasOne(options.adminValues)) return 'admin'
  return hasOne(options.viewerValues) ? 'viewer' : null
}
