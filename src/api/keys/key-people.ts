// Whose a key is, and who looks after it now. An owner is a text of people; one that is the address
// of a user is that user. They have no column of their own: a text of before counts as soon as it
// is an address, a Weir of before reads what this one writes, and the store lets the text follow
// the user's address. Must stay true: who cannot sign in looks after no key.

import type { ApiKey } from '../../core/api-key.ts'
import type { User } from '../../core/user.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import type { KnownTeams } from '../teams/team-directory.ts'
import type { KeyRow } from './key-contract.ts'

type KeyPeople = Pick<KeyRow, 'person' | 'owner_id' | 'owner_name' | 'looked_after_by'>

const SHOWN_MAX = 10
const NOBODY: KeyPeople = { person: null, owner_id: null, owner_name: null, looked_after_by: [] }

/** The leads of its team, or of its department, look after a key whose owner does not. */
export async function readKeyPeople(
  keys: readonly ApiKey[],
  teams: KnownTeams,
  { users }: Pick<SettingsStore, 'users'>,
): Promise<(key: ApiKey) => KeyPeople> {
  if (keys.every((key) => (key.teamId ?? key.personId ?? key.owner) === null)) return () => NOBODY
  const all = await users.list()
  const byId = new Map(all.map((user) => [user.id, user]))
  const byAddress = new Map(all.map((user) => [user.email, user]))
  return ({ teamId, personId, owner: text }) => {
    const owner = byAddress.get(text?.toLowerCase() ?? '')
    const first = personId === null ? owner : byId.get(personId)
    const leadsOf = (id: string | null | undefined): User[] =>
      (teams.members.get(id ?? '') ?? [])
        .filter(({ role }) => role === 'lead')
        .flatMap(({ userId }) => byId.get(userId) ?? [])
        .filter(canSignIn)
    const leads = [leadsOf(teamId), leadsOf(teams.byId.get(teamId ?? '')?.parentId)]
    const others = leads.find(({ length }) => length > 0) ?? []
    return {
      person: byId.get(personId ?? '')?.email ?? null,
      owner_id: owner?.id ?? null,
      owner_name: owner?.name ?? null,
      looked_after_by: (canSignIn(first) ? [first] : others)
        .slice(0, SHOWN_MAX)
        .map(({ email }) => email),
    }
  }
}

function canSignIn(user: User | undefined): user is User {
  return user !== undefined && user.disabledAt === null
}
