// Filters (RFC 7644, section 3.4.2.2): comparisons joined by `and` and `or`, without groups, `not`
// and order, which no directory asks a service like this one for. What stands in brackets within an
// attribute is not looked at: an address is the only one of its user.

import { isObject, toName, withoutUrn } from './scim-attributes.ts'
import type { Json } from './scim-attributes.ts'
import { ScimFault } from './scim-fault.ts'

export const FILTER_CHARS_MAX = 1000
const TERMS_MAX = 20

const TERM =
  /\s*([a-z$][\w.:$-]*)(?:\[[^\]]*\]((?:\.\w+)?))?\s+(?:(pr)\b|(eq|ne|co|sw|ew)\s+("(?:[^"\\]|\\.)*"|true|false|null|-?\d+))\s*/iy
const JOIN = /(and|or)\b/iy

/** Of these, case makes a difference. */
const EXACT = ['id', 'externalId']

interface Term {
  /** `userName`, `members.value` */
  readonly path: readonly string[]
  readonly operator: string
  readonly value: unknown
}

export interface Filter {
  readonly matches: (resource: Json) => boolean
  /** Where it is nothing but an equality with a text: what can be looked up. */
  readonly lookup: { readonly name: string; readonly value: string } | null
}

export function parseFilter(text: string): Filter {
  if (text.length > FILTER_CHARS_MAX) throw fault(`has more than ${FILTER_CHARS_MAX} characters`)
  const either = parseTerms(text)
  const [only] = either.length === 1 && either[0]?.length === 1 ? either[0] : []
  const isEqual = only?.operator === 'eq' && typeof only.value === 'string'
  return {
    matches: (resource) => either.some((all) => all.every((term) => isTrue(term, resource))),
    lookup: isEqual ? { name: only.path.join('.'), value: String(only.value) } : null,
  }
}

/** Any of the lists, and of a list all: `and` binds more closely. */
function parseTerms(text: string): readonly (readonly Term[])[] {
  const either: Term[][] = [[]]
  let count = 0
  for (let at = 0; ;) {
    TERM.lastIndex = at
    const found = TERM.exec(text)
    if (found === null) throw fault('is none that is known here')
    count += 1
    if (count > TERMS_MAX) throw fault(`has more than ${TERMS_MAX} comparisons`)
    either.at(-1)?.push(toTerm(found))
    at = TERM.lastIndex
    if (at >= text.length) return either
    JOIN.lastIndex = at
    const join = JOIN.exec(text)?.[1]?.toLowerCase()
    if (join === undefined) throw fault('is none that is known here')
    if (join === 'or') either.push([])
    at = JOIN.lastIndex
  }
}

function toTerm([, attribute = '', sub = '', present, operator, value]: RegExpExecArray): Term {
  const path = `${withoutUrn(attribute)}${sub}`.split('.').map((part) => toName(part) ?? part)
  if (present !== undefined) return { path, operator: 'pr', value: null }
  return { path, operator: (operator ?? '').toLowerCase(), value: parseValue(value ?? '') }
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('"') ? text : text.toLowerCase())
  } catch {
    throw fault(`compares with ${text}, which is no value`)
  }
}

function isTrue({ path, operator, value }: Term, resource: Json): boolean {
  const values = valuesAt(resource, path)
  if (operator === 'pr') return values.some((each) => each !== null && each !== '')
  const isExact = EXACT.includes(path[0] ?? '')
  const wanted = toComparable(value, isExact)
  const has = (test: (each: string) => boolean): boolean =>
    values.some((each) => test(toComparable(each, isExact)))
  if (operator === 'eq') return has((each) => each === wanted)
  if (operator === 'ne') return !has((each) => each === wanted)
  if (operator === 'co') return has((each) => each.includes(wanted))
  return has((each) => (operator === 'sw' ? each.startsWith(wanted) : each.endsWith(wanted)))
}

/** A list of objects stands for their `value`. */
function valuesAt(value: unknown, path: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => valuesAt(each, path))
  const [name, ...rest] = path
  if (name === undefined) return isObject(value) ? valuesAt(value['value'], []) : [value]
  if (!isObject(value) || value[name] === undefined) return []
  return valuesAt(value[name], rest)
}

/** `"True"` is true as well, for those who write texts only. */
function toComparable(value: unknown, isExact: boolean): string {
  return isExact ? String(value) : String(value).toLowerCase()
}

function fault(what: string): ScimFault {
  const text = `The filter ${what}. It may compare attributes by eq, ne, co, sw, ew and pr, joined by and, or.`
  return new ScimFault('invalidFilter', text)
}
