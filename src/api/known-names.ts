// What people call keys, teams and each other, to be shown beside ids, as it is now. An id that
// nothing has any more goes by itself. Ids of different things differ, so one map has them all.

import { hasScope } from '../core/api-key.ts'
import type { Caller } from '../core/caller.ts'
import type { SettingsStore } from '../store/settings/settings-store.ts'
import type { KeyDirectory } from './keys/key-directory.ts'
import type { TeamDirectory } from './teams/team-directory.ts'

export type KnownNames = ReadonlyMap<string, string>

export interface NameSources {
  readonly settings: Pick<SettingsStore, 'users'>
  readonly keyDirectory: KeyDirectory
  readonly teamDirectory: TeamDirectory
}

type Reader = (sources: NameSources) => Promise<readonly (readonly [id: string, name: string])[]>

const READERS: Readonly<Record<string, Reader>> = {
  api_key: async ({ keyDirectory }) =>
    (await keyDirectory.read()).byName.map(({ key }) => [key.id, key.name]),
  team: async ({ teamDirectory }) =>
    (await teamDirectory.read()).teams.map(({ id, name }) => [id, name]),
  // Two people may have one name.
  person: async ({ settings }) => (await settings.users.list()).map(({ id, email }) => [id, email]),
}

/** Of those fields of a question whose values are ids. */
export async function readNames(
  sources: NameSources,
  fields: readonly string[],
): Promise<KnownNames> {
  const readers = fields.flatMap((field) => READERS[field] ?? [])
  return new Map((await Promise.all(readers.map((read) => read(sources)))).flat())
}

/** For calls: who may not know keys does not learn whose they are. */
export function readFactNames(
  sources: NameSources,
  caller: Pick<Caller, 'scopes'>,
): Promise<KnownNames> {
  return readNames(sources, hasScope(caller, 'read:keys') ? ['team', 'person'] : ['team'])
}

/** One that nothing has any more, or that may not be known, goes by its id. */
export function nameOf(id: string | null, names: KnownNames): string | null {
  return id === null ? null : (names.get(id) ?? id)
}
