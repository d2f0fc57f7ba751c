// Keeps the memberships of teams in line with the directory's groups. A group without a rule gives
// the team that has its name. Run again after a failure, it mends what was left undone.

import { applyRules } from '../../accounts/group-rules.ts'
import type { GroupRule } from '../../accounts/sign-in-options.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'

export async function keepDirectoryTeams(
  { groups, teams, users }: SettingsStore,
  rules: readonly GroupRule[],
  userIds: Iterable<string>,
): Promise<void> {
  const all = await teams.list()
  for (const id of userIds) {
    const names = (await groups.listOf(id)).map(({ name, externalId }) =>
      externalId === null ? [name] : [name, externalId],
    )
    const given = applyRules({ groups: names, rules, teams: all, isByName: true })
    const had = (await teams.listMemberships(id)).filter(({ source }) => source === 'scim')
    const isSame =
      had.length === given.teams.size &&
      had.every(({ teamId, role }) => given.teams.get(teamId) === role)
    if (isSame || (await users.find({ id })) === null) continue
    await teams.replaceMemberships(id, 'scim', given.teams)
  }
}
