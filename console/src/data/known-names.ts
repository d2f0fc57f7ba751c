// The names of keys, teams and people, for what knows them by their ids: filters, budgets. What has
// no known name is shown by its id.

import { useQuery } from '@tanstack/react-query'
import type { UserList } from '../../../src/api/contract.ts'
import { NAMES_AT_HAND, useKeyNames } from './key-names.ts'
import { readQuery } from './queries.ts'
import { USERS_KEY } from './query-client.ts'
import { useCan } from './session.ts'
import { useTeamNames } from './teams.ts'

/** Administrators alone may see them. */
export const usersQuery = readQuery<UserList>(USERS_KEY, '/v1/users')

/** The addresses of users, by id. */
export function useUserNames(isWanted = true): ReadonlyMap<string, string> {
  const canSee = useCan('admin')
  const { data } = useQuery({ ...usersQuery, enabled: isWanted && canSee })
  return new Map(data?.rows.map(({ id, email }) => [id, email]))
}

/** By id, of these fields: `api_key`, `team`, `person`. */
export function useKnownNames(fields: readonly string[]): ReadonlyMap<string, string> {
  const keys = useKeyNames(NAMES_AT_HAND, fields.includes('api_key'))
  const teams = useTeamNames(fields.includes('team'))
  const people = useUserNames(fields.includes('person'))
  return new Map([...keys, ...teams, ...people])
}
