// Versions over HTTP (RFC 9110, sections 8.8.3 and 13.1): an answer carries one as its ETag, a
// change names in If-Match the one that its editor saw.

import type { Context } from 'hono'
import { z } from 'zod'
import type { Expected } from '../store/settings/changed-meanwhile.ts'
import { changedMeanwhileSchema } from './error-contract.ts'
import type { ChangedMeanwhileBody } from './error-contract.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { header, json } from './route-answers.ts'
import type { Answers } from './route-answers.ts'

/**
 * version  of something that is there: by If-Match
 * absence  of something that is replaced by its place: by If-None-Match as well
 */
export type Precondition = 'version' | 'absence'

export function toEtag(version: number): string {
  return `"${version}"`
}

/** Throws `invalid_parameter` for what is no list of entity tags. */
export function readExpected({ req }: Context, precondition: Precondition | undefined): Expected {
  if (precondition === undefined) return null
  const [match, noneMatch] = [req.header('if-match'), req.header('if-none-match')]
  if (precondition === 'absence' && noneMatch !== undefined) return readAbsence(noneMatch, match)
  return match === undefined ? null : parseTags(match)
}

function readAbsence(noneMatch: string, match: string | undefined): Expected {
  if (noneMatch.trim() === '*' && match === undefined) return 'absent'
  throw invalidParameter('If-None-Match must be *, and If-Match is then left out.')
}

const TAG = /^(W\/)?"([^"]*)"$/
/** A tag of another form was never ours, and matches nothing. */
const VERSION = /^\d{1,15}$/

/** Weak tags match nothing: section 13.1.1 asks for a strong comparison. */
function parseTags(text: string): Expected {
  if (text.trim() === '*') return null
  return text.split(',').flatMap((each) => {
    const [tag, weak, value = ''] = TAG.exec(each.trim()) ?? []
    if (tag === undefined) {
      throw invalidParameter('If-Match must be * or versions in quotes, as ETag has them.')
    }
    return weak === undefined && VERSION.test(value) ? [Number(value)] : []
  })
}

const IF_MATCH = z.string().optional().meta({
  description:
    'The version that the editor saw, as ETag has it: `"57"`. At another one nothing is changed: 412. Left out: whatever it is.',
  example: '"57"',
})

const IF_NONE_MATCH = z.string().optional().meta({
  description: '`*`: only where nothing would be replaced, else 412.',
  example: '*',
})

/** Named as a header parameter of the document. */
export function describePrecondition(precondition: Precondition) {
  return z.object({
    'If-Match': IF_MATCH,
    ...(precondition === 'absence' && { 'If-None-Match': IF_NONE_MATCH }),
  })
}

export const ETAG_HEADER = { ETag: header('Its version, in quotes: for If-Match.') }

const CHANGED_EXAMPLE: ChangedMeanwhileBody = {
  error:
    'It was changed meanwhile by ada@example.com. Read it again, then send the change with its new version.',
  code: 'changed_meanwhile',
  version: 61,
  changes: [
    {
      number: 61,
      at: '2026-03-15T11:58:00.000Z',
      actor: { kind: 'user', name: 'ada@example.com' },
      action: 'key.update',
      fields: ['rate_limit_rpm'],
    },
  ],
}

export const CHANGED: Answers = {
  412: json(
    '`changed_meanwhile`: it is at another version than If-Match names; who changed what since then.',
    changedMeanwhileSchema,
    CHANGED_EXAMPLE,
  ),
}
