// Finds or creates the user of an identity. Must stay true: an address takes over an account only
// if the provider verified it and the account has no other identity; roles apply from this sign-in.

import type { Actor, User } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UserStore } from '../../store/settings/user-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { OidcIdentity } from './oidc-identity.ts'

export type OidcRefusal =
  | 'oidc_email_unverified'
  | 'oidc_email_taken'
  | 'oidc_disabled'
  | 'oidc_last_admin'

export async function takeOidcUser(
  settings: SettingsStore,
  identity: OidcIdentity,
): Promise<User | OidcRefusal> {
  const { users } = settings.as(toIdentityActor(identity))
  const known = await users.find({ subject: identity.subject })
  if (known !== null) return applyRole(users, known, identity)
  const namesake = await users.find({ email: identity.email })
  if (namesake === null) {
    const { email, name, role, subject } = identity
    return users.create({ email, name, role, subject, passwordHash: null })
  }
  if (!identity.isVerified) return 'oidc_email_unverified'
  if (namesake.subject !== null) return 'oidc_email_taken'
  if (namesake.disabledAt !== null) return 'oidc_disabled'
  const linked = await users.update(namesake.id, { subject: identity.subject })
  return applyRole(users, linked ?? namesake, identity)
}

async function applyRole(
  users: UserStore,
  user: User,
  { role }: OidcIdentity,
): Promise<User | OidcRefusal> {
  if (user.disabledAt !== null) return 'oidc_disabled'
  if (user.role === role) return user
  try {
    return (await users.update(user.id, { role })) ?? 'oidc_disabled'
  } catch (error) {
    // The user was the last administrator.
    if (error instanceof WeirError && error.code === 'invalid_argument') return 'oidc_last_admin'
    throw error
  }
}

function toIdentityActor({ email }: OidcIdentity): Actor {
  return { kind: 'system', id: null, name: `sign-in of ${email}` }
}
