// The settings that say where a provider's credentials are. Must stay true: no text about them
// shows a value, since somebody will write the credential itself.

import { z } from 'zod'
import { parseDims } from '../../core/dims.ts'
import { isReference } from '../credential-source.ts'
import { text } from './parts.ts'

const RULES_MAX = 100
const KEY_ID = /^svc_k_[a-z0-9]{8,32}$/

const REFERENCE = 'env:NAME or file:PATH: where the credential is, never the credential itself'
const KEY = "a Weir key's id such as svc_k_0123456789abcdef, without the secret"
const DIM = 'one dimension such as team=search'
const RULE = "{ use: 'env:NAME', dim: 'team=search' } or { use: 'file:PATH', key: svc_k_… }"

const rule = z
  .strictObject({
    use: z.string().refine(isReference),
    key: z.string().regex(KEY_ID).optional(),
    dim: z
      .string()
      .refine((text) => toDim(text) !== null)
      .transform((text) => toDim(text)?.join('=') ?? text)
      .optional(),
  })
  .refine(({ key, dim }) => key !== undefined || dim !== undefined)

export const credential = text(isReference, {
  description:
    'Where its credential is, for keys that may use it: `env:NAME` is a variable of the environment, `file:PATH` a file, which is read again when it changes. See [Stored credentials](credentials.md).',
  allowed: REFERENCE,
}).optional()

export const credentials = z
  .array(rule)
  .max(RULES_MAX)
  .readonly()
  .meta({
    description:
      'Other credentials for some calls: the first rule whose key and dimension are those of the call applies, and `credential` where none does.',
    allowed: `a list of at most ${RULES_MAX} rules such as ${RULE}`,
  })
  .optional()

/** A dimension and its value, as calls have them; null where the text is not one pair. */
function toDim(text: string): readonly [string, string] | null {
  const { dims, faults } = parseDims(Buffer.from(text).toString('latin1'))
  const [pair, ...others] = Object.entries(dims)
  return pair === undefined || others.length > 0 || faults.length > 0 ? null : pair
}

/** What is wrong at a path within a provider's credentials; null for any other path. */
export function describeCredentialFault(path: readonly PropertyKey[]): string | null {
  const [section, , setting, , leaf] = path
  if (section !== 'providers') return null
  if (setting === 'credential') return `is not usable; write ${REFERENCE}`
  if (setting !== 'credentials') return null
  if (path.length === 3) return `is not usable; write a list of at most ${RULES_MAX} rules: ${RULE}`
  if (leaf === 'use') return `is not usable; write ${REFERENCE}`
  if (leaf === 'key') return `is not usable; write ${KEY}`
  if (leaf === 'dim') return `is not usable; write ${DIM}`
  return `is not a rule with a key or a dimension; write ${RULE}`
}
