// All keys in memory, sorted, for fast pages. Must stay true: the next read sees every change.

import type { ApiKey } from '../../core/api-key.ts'
import { followKeys } from '../../store/settings/follow.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { compareText } from '../compare-text.ts'

export interface ListedKey {
  readonly key: ApiKey
  /** Name, id and owner in lower case, for search. */
  readonly words: string
}

export interface KnownKeys {
  readonly byId: ReadonlyMap<string, ListedKey>
  /** In alphabetical order, in any case. */
  readonly byName: readonly ListedKey[]
  readonly newestFirst: readonly ListedKey[]
}

export interface KeyDirectory {
  read(): Promise<KnownKeys>
}

const NOTHING: KnownKeys = { byId: new Map(), byName: [], newestFirst: [] }

export function createKeyDirectory(settings: Pick<SettingsStore, 'keys'>): KeyDirectory {
  const followed = followKeys(settings.keys)
  let known = NOTHING
  let last: Promise<KnownKeys> = Promise.resolve(NOTHING)

  async function look(): Promise<KnownKeys> {
    if (await followed.look()) known = arrange(new Map([...followed.byId.values()].map(toEntry)))
    return known
  }

  return {
    // In sequence: an earlier read must not overwrite a later one.
    read: () => (last = last.then(look, look)),
  }
}

function toEntry(key: ApiKey): [string, ListedKey] {
  const words = [key.name, key.id, key.owner ?? ''].join('\n').toLowerCase()
  return [key.id, { key, words }]
}

function arrange(byId: ReadonlyMap<string, ListedKey>): KnownKeys {
  const keys = [...byId.values()]
  return {
    byId,
    byName: keys.toSorted((one, other) => compareText(one.words, other.words)),
    newestFirst: keys.toSorted(
      (one, other) =>
        other.key.createdAt - one.key.createdAt || compareText(one.words, other.words),
    ),
  }
}
