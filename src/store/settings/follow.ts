// Settings in a process's memory, kept up to date by their revision. Must stay true: what a
// database that went back to an earlier state does not have is gone from memory with the first
// reading of it, and a revision is known only once what it brought was taken.

import type { ApiKey } from '../../core/api-key.ts'
import type { KeyChanges, KeyStore } from './key-store.ts'

interface Revised {
  readonly revision: number
}

export interface FollowOptions<Changes> {
  /** Null when nothing has changed since the revision. */
  readonly readChanges: (revision: number) => Promise<Changes | null>
  /** What is known at first; usually what says to `readChanges` that nothing is. */
  readonly none: number
  /** Where it fails, the same changes come again. */
  readonly take: (changes: Changes, isFirst: boolean) => void | Promise<void>
  /** Left out: a reading may take as long as it likes. One that is given up is never taken. */
  readonly inTime?: (reading: Promise<Changes | null>, isFirst: boolean) => Promise<Changes | null>
}

/** Whether anything has changed since the last time. */
export type Look = () => Promise<boolean>

export function follow<Changes extends Revised>(options: FollowOptions<Changes>): Look {
  const { readChanges, none, take, inTime = (reading) => reading } = options
  let known: number | null = null
  return async () => {
    const isFirst = known === null
    const changes = await inTime(readChanges(known ?? none), isFirst)
    if (changes === null || changes.revision === known) return false
    await take(changes, isFirst)
    known = changes.revision
    return true
  }
}

export interface FollowedKeys {
  /** As of the last look. */
  readonly byId: ReadonlyMap<string, ApiKey>
  readonly look: Look
}

export interface FollowedKeysOptions extends Pick<FollowOptions<KeyChanges>, 'inTime'> {
  /** Until the store answers. */
  readonly copy?: readonly ApiKey[]
}

export function followKeys(
  keys: Pick<KeyStore, 'readChanges'>,
  { copy = [], ...options }: FollowedKeysOptions = {},
): FollowedKeys {
  const byId = new Map(copy.map((key) => [key.id, key]))
  const look = follow<KeyChanges>({
    ...options,
    readChanges: (revision) => keys.readChanges(revision),
    none: 0,
    take: (changes, isFirst) => {
      // What a copy has may be gone, and so may what another database had.
      if (isFirst || changes.isAll === true) byId.clear()
      for (const key of changes.keys) byId.set(key.id, key)
    },
  })
  return { byId, look }
}
