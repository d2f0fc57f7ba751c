// Finds or creates the user of an identity, with the role and the teams that its groups give. Must
// stay true: an address takes over an account only if the account has no other identity and the
// provider verified it, or the directory that made the account names the same identity; what is
// gone at the provider is gone here from this sign-in.

import { applyRules, decideRole, strongest } from '../../accounts/group-rules.ts'
import type { OidcOptions, SignInOptions } from '../../accounts/sign-in-options.ts'
import type { Actor, User, UserRole } from '../../core/user.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { UserChange, UserStore } from '../../store/settings/user-store.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { keepDirectoryTeams } from './directory-teams.ts'
import type { OidcIdentity } from './oidc-identity.ts'

export type OidcRefusal =
  | 'oidc_no_role'
  | 'oidc_email_unverified'
  | 'oidc_email_taken'
  | 'oidc_disabled'
  | 'oidc_last_admin'

export type OidcRules = Pick<SignInOptions, 'groups' | 'defaultRole'> & {
  readonly oidc: OidcOptions
}

export async function takeOidcUser(
  allSettings: SettingsStore,
  identity: OidcIdentity,
  rules: OidcRules,
): Promise<User | OidcRefusal> {
  const settings = allSettings.as(toIdentityActor(identity))
  const { users, teams } = settings
  const known = await findUser(users, identity)
  if (typeof known === 'string') return known
  if (known !== null && known.disabledAt !== null) return 'oidc_disabled'
  const { groups, subject } = identity
  const given = applyRules({
    groups: groups ?? [],
    rules: rules.groups,
    teams: await teams.list(),
  })
  const keepTeams = async ({ id }: User): Promise<void> => {
    if (groups !== null) await teams.replaceMemberships(id, 'oidc', given.teams)
    // A team that both gave stays with the one that still does.
    await keepDirectoryTeams(settings, rules.groups, [id])
  }
  // Also of those who are not let in any more.
  if (known !== null) await keepTeams(known)
  const role = decideRole({
    current: known?.role ?? null,
    given: strongest(identity.role, given.companyRole),
    named: listNamed(rules, groups !== null),
    preset: rules.defaultRole ?? (given.isNamed ? 'none' : null),
  })
  if (role === null) return 'oidc_no_role'
  const unknownGroups = groups === null ? {} : { unknownGroups: given.unknown }
  const change = { role, subject, ...unknownGroups }
  if (known !== null) {
    const email = await followAddress(users, known, identity)
    return updateUser(users, known, { ...change, ...(email !== null && { email }) })
  }
  const { email, name } = identity
  const made = await users.create({ email, name, role, subject, passwordHash: null })
  await keepTeams(made)
  return updateUser(users, made, unknownGroups)
}

/** By subject first, then by address; null for somebody new. */
async function findUser(
  users: UserStore,
  { subject, email, isVerified, externalIds }: OidcIdentity,
): Promise<User | OidcRefusal | null> {
  const known = await users.find({ subject })
  if (known !== null) return known
  const namesake = await users.find({ email })
  if (namesake === null) return null
  const externalId = namesake.provisioned?.externalId ?? null
  const isSame = externalId !== null && externalIds.includes(externalId)
  if (!isVerified && !isSame) return 'oidc_email_unverified'
  return namesake.subject === null ? namesake : 'oidc_email_taken'
}

/**
 * The address that a user has by now; null where it stays. A directory says itself what the address
 * of its users is.
 */
async function followAddress(
  users: UserStore,
  user: User,
  { email, isVerified }: OidcIdentity,
): Promise<string | null> {
  if (!isVerified || user.provisioned !== null || email === user.email) return null
  return (await users.find({ email })) === null ? email : null
}

/** The roles that the configuration gives; without the groups, what gives one was not asked. */
function listNamed({ groups, oidc }: OidcRules, hasGroups: boolean): ReadonlySet<UserRole> {
  const byValue = oidc.adminValues.length + oidc.viewerValues.length > 0
  const byGroup = hasGroups ? groups.map(({ companyRole }) => companyRole) : []
  const named = new Set<UserRole>(byValue ? ['admin', 'viewer'] : [])
  for (const role of byGroup) if (role !== null) named.add(role)
  return named
}

async function updateUser(
  users: UserStore,
  user: User,
  change: UserChange,
): Promise<User | OidcRefusal> {
  try {
    return (await users.update(user.id, change)) ?? 'oidc_disabled'
  } catch (error) {
    // The user was the last administrator.
    if (error instanceof WeirError && error.code === 'invalid_argument') return 'oidc_last_admin'
    throw error
  }
}

function toIdentityActor({ email }: OidcIdentity): Actor {
  return { kind: 'system', id: null, name: `sign-in of ${email}` }
}
