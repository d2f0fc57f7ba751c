// From a body to what a path takes: JSON, nothing unknown in it, and all that is wrong with it in
// one refusal. Must stay true: no text made here repeats a value, for it may be a secret put there
// by mistake.

import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { z } from 'zod'
import { WeirError } from '../core/weir-error.ts'
import { invalidParameter, showName } from './parse-parameters.ts'

/** The largest key that the rules allow has some 60 kB. */
export const BODY_BYTES_MAX = 65_536

const limitBody = bodyLimit({
  maxSize: BODY_BYTES_MAX,
  onError: () => {
    throw new WeirError('body_too_large', `At most ${BODY_BYTES_MAX} bytes.`)
  },
})

/** Throws `body_too_large` and `invalid_parameter`. To be called behind the check of the token. */
export async function readBody<Schema extends z.ZodObject>(
  context: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  await limitBody(context, () => Promise.resolve())
  return parseBody(await context.req.text(), schema)
}

export function parseBody<Schema extends z.ZodObject>(
  text: string,
  schema: Schema,
): z.output<Schema> {
  const names = Object.keys(schema.shape)
  let hasPrototype = false
  const body = parseJson(text, (name) => {
    hasPrototype ||= name === '__proto__'
  })
  // A schema passes over it in silence, and its sender would believe that it has an effect.
  if (hasPrototype) throw invalidParameter('The body is refused: unknown member __proto__.')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidParameter(`The body must be one JSON object. Its members: ${names.join(', ')}.`)
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  // A list with several wrong entries would report the same for each.
  const faults = new Set(parsed.error.issues.flatMap((issue) => describe(issue, { body, names })))
  throw invalidParameter(`The body is refused: ${[...faults].join('; ')}.`)
}

/** Undefined where it is none. */
function parseJson(text: string, onMember: (name: string) => void): unknown {
  try {
    return JSON.parse(text, (name, value: unknown) => {
      onMember(name)
      return value
    })
  } catch {
    return undefined
  }
}

interface Given {
  readonly body: object
  /** Of the members there are. */
  readonly names: readonly string[]
}

function describe(issue: z.core.$ZodIssue, { body, names }: Given): string[] {
  const [list, index] = issue.path
  // Within a list: the schema's own words do not say which of its entries is meant.
  const place = typeof index === 'number' && list === 'targets' ? `targets[${index}]: ` : ''
  if (issue.code === 'unrecognized_keys') {
    const known = place === '' ? `there are: ${names.join(', ')}` : issue.message
    return issue.keys.map((key) => `${place}unknown member${showName(key)} (${known})`)
  }
  const isMissing = issue.path.length === 1 && !Object.hasOwn(body, String(list))
  return [`${place}${isMissing ? 'missing: ' : ''}${issue.message}`]
}
