// What others changed while something was being edited, as the API says it of a change that it
// refused, in words.

import type { ChangedMeanwhileBody } from '../../../src/api/contract.ts'
import { ApiError } from './api-error.ts'
import { toFieldName } from './field-names.ts'
import { formatTime } from './format-time.ts'
import { useState } from 'react'

/** Null where the error is another one. */
export function meanwhileOf(error: Error | null): ChangedMeanwhileBody | null {
  return error instanceof ApiError ? error.meanwhile : null
}

type Change = ChangedMeanwhileBody['changes'][number]

const DONE: Partial<Readonly<Record<Change['action'], string>>> = {
  'key.rotate': 'rotated it',
  'key.end_grace': 'ended its old secret',
  'key.pause': 'paused it',
  'key.resume': 'resumed it',
  'key.revoke': 'revoked it',
  'price.set': 'set it',
  'user.link': 'created a sign-in link',
  'user.password': 'set the password',
}

/** `ada@example.com changed Calls per minute on 15 Mar 2026, 11:58:00 UTC`, newest first. */
export function toChangeLines(changes: readonly Change[]): readonly string[] {
  return changes.map(({ action, actor, at, fields }) => {
    const changed = `changed ${fields.map(toFieldName).join(', ')}`
    return `${actor.name} ${DONE[action] ?? changed} on ${formatTime(at)}`
  })
}

/** For a question that is asked as a whole: once more means anyway. */
export function toAnywayError(error: unknown): Error {
  const thrown = error instanceof Error ? error : new Error(String(error))
  const meanwhile = meanwhileOf(thrown)
  if (meanwhile === null) return thrown
  const lines = toChangeLines(meanwhile.changes).join('; ')
  const who = lines === '' ? 'It was changed meanwhile.' : `Changed meanwhile: ${lines}.`
  return new Error(`${who} Nothing was done. Confirm again to do it anyway.`)
}

/**
 * Runs what is asked as a whole, such as a removal, at the version that was seen. Where others have
 * changed it meanwhile, it is refused with what they did, and asking again means anyway.
 */
export function useAnyway<Answer>(
  version: number,
  run: (version: number) => Promise<Answer>,
): () => Promise<Answer> {
  const [known, setKnown] = useState(0)
  return async () => {
    try {
      // Versions rise: the highest is the last that the user has seen or was shown.
      return await run(Math.max(version, known))
    } catch (error) {
      setKnown(meanwhileOf(error instanceof Error ? error : null)?.version ?? known)
      throw toAnywayError(error)
    }
  }
}
