// Parses a URL's query; unknown names are refused, and duplicates of what is no list. Must stay
// true: no error repeats a value: it may be a secret sent by mistake.

import { z } from 'zod'
import type { WeirError } from '../core/weir-error.ts'
import { invalidParameter } from './invalid-parameter.ts'

// Short words only: a credential pasted as a name is longer, or has a dot.
const SHOWABLE_NAME = /^[A-Za-z0-9_-]{1,32}$/

/** Throws `invalid_parameter`. */
export function parseParameters<Schema extends z.ZodObject>(
  search: URLSearchParams,
  schema: Schema,
): z.output<Schema> {
  const names = Object.keys(schema.shape)
  // A map, not an object: __proto__ must be as unknown as any other name.
  const given = new Map<string, string | string[]>()
  for (const [name, value] of search) {
    if (!names.includes(name)) throw unknown(name, names)
    const before = given.get(name)
    if (Array.isArray(before)) before.push(value)
    else if (before === undefined)
      given.set(name, isRepeatable(schema.shape[name]) ? [value] : value)
    else throw invalidParameter(`Parameter ${name} is given more than once; give it once.`)
  }
  const parsed = schema.safeParse(Object.fromEntries(given))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const name = String(issue?.path[0] ?? '')
  const prefix = given.has(name) ? 'Parameter' : 'A parameter is missing:'
  throw invalidParameter(`${prefix} ${issue?.message ?? ''}.`)
}

/** A list in the schema is a parameter that may be given several times. */
export function isRepeatable(member: unknown): boolean {
  return member instanceof z.ZodOptional && member.unwrap() instanceof z.ZodArray
}

function unknown(name: string, names: readonly string[]): WeirError {
  const known = names.length === 0 ? 'This path takes none' : `There are: ${names.join(', ')}`
  return invalidParameter(`Unknown parameter${showName(name)}. ${known}.`)
}

/** With a space before it; empty where it could be a secret. */
export function showName(name: string): string {
  return SHOWABLE_NAME.test(name) ? ` ${name}` : ''
}
