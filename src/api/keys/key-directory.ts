// All keys in memory, in the orders in which they are shown: a page of ten thousand is read in
// milliseconds. Must stay true: a key that was made or changed is found in the next look, from
// whichever process the change came.

import type { ApiKey } from '../../core/api-key.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'

export interface ListedKey {
  readonly key: ApiKey
  /** Name and id in lower case, to be searched. */
  readonly words: string
}

export interface KnownKeys {
  readonly byId: ReadonlyMap<string, ListedKey>
  /** In the order of the alphabet, whatever the case. */
  readonly byName: readonly ListedKey[]
  readonly newestFirst: readonly ListedKey[]
}

export interface KeyDirectory {
  read(): Promise<KnownKeys>
}

const NOTHING: KnownKeys = { byId: new Map(), byName: [], newestFirst: [] }

export function createKeyDirectory(settings: Pick<SettingsStore, 'keys'>): KeyDirectory {
  let known = NOTHING
  let revision = 0
  let last: Promise<KnownKeys> = Promise.resolve(NOTHING)

  async function look(): Promise<KnownKeys> {
    const changes = await settings.keys.readChanges(revision)
    // A store that is behind was put back from a backup: keys may be gone, and all that are left
    // were reported.
    const before = changes.revision < revision ? [] : known.byId
    if (changes.keys.length > 0 || changes.revision < revision) {
      known = arrange(new Map([...before, ...changes.keys.map(toEntry)]))
    }
    revision = changes.revision
    return known
  }

  return {
    // One after the other: what an earlier look has found must not replace what a later one has.
    read: () => (last = last.then(look, look)),
  }
}

function toEntry(key: ApiKey): [string, ListedKey] {
  return [key.id, { key, words: `${key.name.toLowerCase()}\n${key.id.toLowerCase()}` }]
}

function arrange(byId: ReadonlyMap<string, ListedKey>): KnownKeys {
  const keys = [...byId.values()]
  return {
    byId,
    byName: keys.toSorted((one, other) => compare(one.words, other.words)),
    newestFirst: keys.toSorted(
      (one, other) => other.key.createdAt - one.key.createdAt || compare(one.words, other.words),
    ),
  }
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
