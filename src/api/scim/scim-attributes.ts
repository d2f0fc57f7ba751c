// Resources as plain JSON, and the names of their attributes, which differ in more than case (RFC
// 7643, section 2.1). Must stay true: a name of the language, such as __proto__, is no attribute.

import { ScimFault } from './scim-fault.ts'

export type Json = Readonly<Record<string, unknown>>

const CORE_URN = /^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i
const NAME = /^[a-z$][\w$-]*$/i
const KNOWN =
  'id externalId userName displayName name formatted givenName familyName emails active members value display type primary Operations op path schemas meta'
const BY_LOWER = new Map(KNOWN.split(' ').map((name) => [name.toLowerCase(), name]))

/** As the schema writes it; null for what is no name. */
export function toName(text: string): string | null {
  return NAME.test(text) ? (BY_LOWER.get(text.toLowerCase()) ?? text) : null
}

export function withoutUrn(text: string): string {
  return text.replace(CORE_URN, '')
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Resources are two levels deep: attributes and, of objects and lists of them, theirs. */
export function withNames(value: unknown, depth = 2): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => withNames(each, depth))
  if (!isObject(value) || depth === 0) return value
  const named = Object.entries(value).flatMap(([key, member]): [string, unknown][] => {
    const name = toName(withoutUrn(key))
    return name === null ? [] : [[name, withNames(member, depth - 1)]]
  })
  return Object.fromEntries(named)
}

/** Null where it was left out. */
export function readText(resource: Json, name: string, charsMax: number): string | null {
  const value = resource[name] ?? null
  if (value === null || value === '') return null
  if (typeof value === 'string' && value.length <= charsMax) return value
  throw new ScimFault('invalidValue', `${name} must be a text of at most ${charsMax} characters.`)
}

/** Entra sends "True" and "False" (its flag aadOptscim062020 is off by default). */
export function readFlag(resource: Json, name: string): boolean | null {
  const value = resource[name] ?? null
  if (value === null || typeof value === 'boolean') return value
  const word = typeof value === 'string' ? value.toLowerCase() : ''
  if (word === 'true' || word === 'false') return word === 'true'
  throw new ScimFault('invalidValue', `${name} must be true or false.`)
}

export function readList(resource: Json, name: string): readonly Json[] {
  const value = resource[name] ?? []
  const list = Array.isArray(value) ? value : [value]
  if (list.every(isObject)) return list
  throw new ScimFault('invalidValue', `${name} must be a list of objects with a value.`)
}
