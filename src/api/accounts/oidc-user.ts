// Finds or makes the user behind an identity. Must stay true: an account is taken over by an
// address only where the provider verified it and no other user of theirs has it; and what the
// provider says of the role applies from this sign-in on.

import type { Actor, User } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UserStore } from '../../store/settings/user-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { OidcIdentity } from './oidc-identity.ts'

/** Words that the sign-in page explains. */
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
    // No one could administer Weir any more.
    if (error instanceof WeirError && error.code === 'invalid_argument') return 'oidc_last_admin'
    throw error
  }
}

function toIdentityActor({ email }: OidcIdentity): Actor {
  return { kind: 'system', id: null, name: `sign-in of ${email}` }
}
