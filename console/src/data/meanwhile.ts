// What others changed while something was being edited, as the API says it of a change that it
// refused, in words.

import type { ChangedMeanwhileBody } from '../../../src/api/contract.ts'
import { ApiError } from './api-error.ts'
import { toFieldName } from './field-names.ts'
import { formatTime } from './format-time.ts'

/** Null where the error is another one. */
export function meanwhileOf(error: Error | null): ChangedMeanwhileBody | null {
  return error instanceof ApiError ? error.meanwhile : null
}

type Change = ChangedMeanwhileBody['changes'][number]

const DONE: Partial<Readonly<Record<Change['action'], string>>> = {
  'key.rotate': 'rotated it',
  'key.end_grace': 'ended its old secret',
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
