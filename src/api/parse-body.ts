// Parses a JSON body and reports all its faults at once. Must stay true: no error repeats a value:
// it may be a secret sent by mistake.

import type { Context } from 'hono'
import type { z } from 'zod'
import { WeirError } from '../core/weir-error.ts'
import { invalidParameter } from './invalid-parameter.ts'
import { showName } from './parse-parameters.ts'

/** The largest valid key has some 60 kB. */
export const BODY_BYTES_MAX = 65_536

/** Throws `body_too_large` and `invalid_parameter`. Call it after the token is checked. */
export async function readBody<Schema extends z.ZodObject>(
  context: Context,
  schema: Schema,
  bytesMax?: number,
): Promise<z.output<Schema>> {
  return parseBody(await readText(context, bytesMax), schema)
}

/** With a length or in chunks; empty without a body. Throws `body_too_large`. */
export async function readText({ req }: Context, bytesMax = BODY_BYTES_MAX): Promise<string> {
  const pieces: Uint8Array[] = []
  let bytesLeft = bytesMax
  if (Number(req.header('content-length') ?? 0) > bytesMax) throw tooLarge(bytesMax)
  for await (const piece of req.raw.body ?? []) {
    bytesLeft -= piece.length
    if (bytesLeft < 0) throw tooLarge(bytesMax)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}

function tooLarge(bytesMax: number): WeirError {
  return new WeirError('body_too_large', `At most ${bytesMax} bytes.`)
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
  // The schema would ignore it silently, and the sender would think it has an effect.
  if (hasPrototype) throw invalidParameter('The body is refused: unknown member __proto__.')
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidParameter(`The body must be one JSON object. Its members: ${names.join(', ')}.`)
  }
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  // Several wrong entries of a list report the same fault.
  const faults = new Set(parsed.error.issues.flatMap((issue) => describe(issue, { body, names })))
  throw invalidParameter(`The body is refused: ${[...faults].join('; ')}.`)
}

/** Undefined for invalid JSON. */
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
  readonly names: readonly string[]
}

function describe(issue: z.core.$ZodIssue, { body, names }: Given): string[] {
  const [list, index] = issue.path
  // The schema's text does not say which entry of a list is meant.
  const place = typeof index === 'number' && list === 'targets' ? `targets[${index}]: ` : ''
  if (issue.code === 'unrecognized_keys') {
    const known = place === '' ? `there are: ${names.join(', ')}` : issue.message
    return issue.keys.map((key) => `${place}unknown member${showName(key)} (${known})`)
  }
  const isMissing = issue.path.length === 1 && !Object.hasOwn(body, String(list))
  return [`${place}${isMissing ? 'missing: ' : ''}${issue.message}`]
}
