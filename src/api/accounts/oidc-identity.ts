// From claims to an identity. Must stay true: no role, no identity; unverified emails are marked.

import type { OidcSubject, UserRole } from '../../core/user.ts'
import { newUserSchema } from '../contract.ts'
import type { OidcClaims } from '../../accounts/oidc-client.ts'
import type { OidcOptions } from '../../accounts/sign-in-options.ts'

const ANYONE = '*'

export interface OidcIdentity {
  readonly subject: OidcSubject
  readonly email: string
  readonly isVerified: boolean
  readonly name: string
  readonly role: UserRole
}

export type OidcFault = 'oidc_no_role' | 'oidc_no_email'

export function toIdentity(claims: OidcClaims, options: OidcOptions): OidcIdentity | OidcFault {
  const role = toRole(readClaim(claims, options.roleClaim), options)
  if (role === null) return 'oidc_no_role'
  const email = newUserSchema.shape.email.safeParse(claims['email'])
  if (!email.success) return 'oidc_no_email'
  const name = newUserSchema.shape.name.safeParse(claims['name'])
  return {
    subject: { issuer: String(claims['iss']), subject: String(claims['sub']) },
    email: email.data,
    isVerified: claims['email_verified'] === true,
    name: name.success ? name.data : email.data.slice(0, email.data.indexOf('@')),
    role,
  }
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
