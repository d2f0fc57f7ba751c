// The directory's groups as SCIM's Group. Must stay true: whoever was or is in a changed group has
// the teams that groups give by then, also where an earlier change was left half done.

import type { DirectoryGroup } from '../../store/settings/group-store.ts'
import { keepDirectoryTeams } from '../accounts/directory-teams.ts'
import type { ApiServices } from '../api-options.ts'
import { readList, readText } from './scim-attributes.ts'
import type { Json } from './scim-attributes.ts'
import { ScimFault } from './scim-fault.ts'
import type { ScimKind, ScimResource } from './scim-kind.ts'
import { GROUP_SCHEMA } from './scim-schemas.ts'

export const MEMBERS_MAX = 10_000
const TEXT_CHARS_MAX = 256

/** `base`: the address of `/scim/v2`. */
export function createScimGroups({ settings, signIn }: ApiServices, base: string): ScimKind {
  const { groups } = settings
  const keepTeams = async (...changed: readonly (DirectoryGroup | null)[]): Promise<void> => {
    const ids = new Set(changed.flatMap((group) => group?.memberIds ?? []))
    await keepDirectoryTeams(settings, signIn.groups, ids)
  }
  const toResource = (group: DirectoryGroup): ScimResource => {
    const { id, version, createdAt, externalId, memberIds } = group
    const toMember = (value: string) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' })
    return {
      id,
      version,
      createdAt,
      body: {
        schemas: [GROUP_SCHEMA],
        id,
        ...(externalId !== null && { externalId }),
        displayName: group.name,
        members: memberIds.map(toMember),
      },
    }
  }

  return {
    name: 'Group',
    path: '/Groups',
    schema: GROUP_SCHEMA,

    async create(given) {
      const group = await groups.create(toFacts(given))
      await keepTeams(group)
      return toResource(group)
    },

    async find(id) {
      const group = await groups.find(id)
      return group === null ? null : toResource(group)
    },

    list: async () => (await groups.list()).map(toResource),

    toBase: ({ body: { displayName, externalId, members } }) => ({
      displayName,
      externalId,
      members,
    }),

    async replace(id, given, expected) {
      const before = await groups.find(id)
      if (before === null) return null
      const after = await groups.update(id, toFacts(given), expected)
      await keepTeams(before, after)
      return after === null ? null : toResource(after)
    },

    async remove(id, expected) {
      const removed = await groups.remove(id, expected)
      await keepTeams(removed)
      return removed
    },
  }
}

function toFacts(given: Json) {
  const name = readText(given, 'displayName', TEXT_CHARS_MAX)
  if (name === null) throw new ScimFault('invalidValue', 'displayName is missing.')
  const members = readList(given, 'members')
  if (members.length > MEMBERS_MAX) {
    throw new ScimFault('tooMany', `A group has at most ${MEMBERS_MAX} members.`)
  }
  const memberIds = members.map((member) => {
    const id = readText(member, 'value', TEXT_CHARS_MAX)
    if (id === null) throw new ScimFault('invalidValue', 'A member is named by the value, its id.')
    return id
  })
  return { name, externalId: readText(given, 'externalId', TEXT_CHARS_MAX), memberIds }
}
