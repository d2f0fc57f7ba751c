// The copy of the keys that a worker starts from while the database is away.

import type { ApiKey } from '../../core/api-key.ts'
import { NO_WORDS_FOR_PEOPLE, OPEN_KEY } from '../../resources/codecs.ts'
import type { KeySettings } from '../../resources/codecs.ts'
import { confirmCopy, readCopy, writeCopy } from './copy-file.ts'

export interface KeyCopy {
  readonly keys: readonly ApiKey[]
  readonly confirmedAt: number
}

/** Older Weirs wrote fewer of its members. */
type CopiedKey = Omit<ApiKey, keyof KeySettings | 'pausedAt'> &
  Pick<KeySettings, 'name'> &
  Partial<KeySettings & Pick<ApiKey, 'pausedAt'>>

const name = 'keys-copy.json'

/** Who owns a key and what is noted on it is for people: no call depends on it. */
export async function writeKeyCopy(dataDir: string, keys: Iterable<ApiKey>): Promise<void> {
  const content = Array.from(keys, (key) => ({ ...key, ...NO_WORDS_FOR_PEOPLE }))
  await writeCopy({ dataDir, name }, content)
}

export function confirmKeyCopy(dataDir: string, nowMs: number): Promise<void> {
  return confirmCopy({ dataDir, name }, nowMs)
}

/** Null without one; `tell` gets the reason where there is one that cannot be used. */
export function readKeyCopy(dataDir: string, tell: (reason: string) => void): KeyCopy | null {
  const copy = readCopy({ dataDir, name })
  if (copy.kind === 'unusable') tell(copy.reason)
  if (copy.kind !== 'found') return null
  const keys = (copy.content as CopiedKey[]).map((key) => ({ ...OPEN_KEY, pausedAt: null, ...key }))
  return { keys, confirmedAt: copy.confirmedAt }
}
