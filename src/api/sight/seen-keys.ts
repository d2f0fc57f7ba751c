// Keys through a sight. Must stay true: another team's key is not there, and a key that may not be
// changed is changed by no method.

import type { ApiKey } from '../../core/api-key.ts'
import { canChangeKey, canSeeKey } from '../../core/teams/sight.ts'
import type { Sight } from '../../core/teams/sight.ts'
import { WeirError } from '../../core/weir-error.ts'
import type { Expected } from '../../store/settings/changed-meanwhile.ts'
import type { KeyStore } from '../../store/settings/key-store.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import type { KeyDirectory, ListedKey } from '../keys/key-directory.ts'
import { onlyWith } from './only-with.ts'

export function seeDirectory(directory: KeyDirectory, sight: Sight): KeyDirectory {
  const isSeen = ({ key }: ListedKey): boolean => canSeeKey(sight, key)
  return {
    async read() {
      const { byName, newestFirst } = await directory.read()
      const seen = byName.filter(isSeen)
      const byId = new Map(seen.map((listed) => [listed.key.id, listed]))
      return { byId, byName: seen, newestFirst: newestFirst.filter(isSeen) }
    },
  }
}

export function seeKeys(keys: KeyStore, sight: Sight, directory: KeyDirectory): KeyStore {
  /** Null for one that is not seen. */
  async function findOwn(id: string): Promise<ApiKey | null> {
    const key = (await directory.read()).byId.get(id)?.key
    if (key === undefined || !canSeeKey(sight, key)) return null
    if (!canChangeKey(sight, key)) throw notTheirs()
    return key
  }

  /** It may have become another team's since it was looked at. */
  const asSeen = (key: ApiKey, expected: Expected = null): Expected => expected ?? [key.version]

  function changer(change: KeyStore['pause']): KeyStore['pause'] {
    return async (id, expected) => {
      const key = await findOwn(id)
      return key === null ? null : change(id, asSeen(key, expected))
    }
  }

  return onlyWith({
    async create(settings, budget) {
      requirePlace(sight, settings)
      requireCounted(settings)
      return keys.create(settings, budget)
    },
    list: async () => (await keys.list()).filter((key) => canSeeKey(sight, key)),
    async update(id, change, expected) {
      const key = await findOwn(id)
      if (key === null) return null
      requirePlace(sight, { ...key, ...change })
      if (!key.allowDerivedTokens) requireCounted(change)
      return keys.update(id, change, asSeen(key, expected))
    },
    async rotate(id, graceMs, expected) {
      const key = await findOwn(id)
      return key === null ? null : keys.rotate(id, graceMs, asSeen(key, expected))
    },
    endGrace: changer((...asked) => keys.endGrace(...asked)),
    pause: changer((...asked) => keys.pause(...asked)),
    resume: changer((...asked) => keys.resume(...asked)),
    revoke: changer((...asked) => keys.revoke(...asked)),
  })
}

export function notTheirs(): WeirError {
  return new WeirError('scope_denied', 'You see this, and may not change it.')
}

/** Calls that nobody counts are for the company to allow: no limit of a team bounds them. */
function requireCounted({ allowDerivedTokens }: Partial<Pick<ApiKey, 'allowDerivedTokens'>>): void {
  if (allowDerivedTokens !== true) return
  throw invalidParameter(
    'The body is refused: allow_derived_tokens is for administrators of Weir to set.',
  )
}

/** Says the same of another's team as of one that is not there. */
function requirePlace(sight: Sight, key: Pick<ApiKey, 'teamId' | 'personId'>): void {
  if (canChangeKey(sight, key)) return
  throw invalidParameter(
    key.teamId !== null && sight.joined.includes(key.teamId)
      ? 'The body is refused: person_id must be you, as you make personal keys in this team.'
      : 'The body is refused: team_id must name a team of yours.',
  )
}
