// Applies the operations of a PATCH (RFC 7644, section 3.5.2) to a resource as JSON, as Entra and
// Okta send them: operations in capitals, values without a path, names with dots, members to remove
// as a value. Attributes that Weir does not have are taken and come to nothing.

import { isObject, toName, withNames, withoutUrn } from './scim-attributes.ts'
import type { Json } from './scim-attributes.ts'
import { ScimFault } from './scim-fault.ts'
import { FILTER_CHARS_MAX, parseFilter } from './scim-filter.ts'

const OPERATIONS_MAX = 1000
const MANY: readonly string[] = ['members', 'emails']
const READ_ONLY: readonly string[] = ['id', 'meta', 'schemas']

type Draft = Record<string, unknown>

interface Path {
  readonly name: string
  /** Of a list's elements: what is within the brackets. */
  readonly filter: string | null
  readonly sub: string | null
}

export function applyPatch(resource: Json, body: Json): Json {
  const operations = body['Operations']
  const isList = Array.isArray(operations) && operations.length > 0
  if (!isList || operations.length > OPERATIONS_MAX) {
    const text = `Operations must be a list of 1 to ${OPERATIONS_MAX} operations.`
    throw new ScimFault('invalidSyntax', text)
  }
  const draft: Draft = { ...resource }
  for (const operation of operations) apply(draft, withNames(operation, 1))
  return draft
}

function apply(draft: Draft, operation: unknown): void {
  const { op, path, value } = isObject(operation) ? operation : {}
  const verb = typeof op === 'string' ? op.toLowerCase() : ''
  if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') {
    throw new ScimFault('invalidSyntax', 'op must be add, replace or remove.')
  }
  if (typeof path === 'string' && path !== '') {
    const at = parsePath(path)
    if (at === null) return
    if (READ_ONLY.includes(at.name)) throw new ScimFault('mutability', `${at.name} never changes.`)
    if (verb === 'remove') remove(draft, at, value)
    else put(draft, at, { value, isAdded: verb === 'add' })
    return
  }
  if (verb === 'remove') throw new ScimFault('noTarget', 'remove needs a path.')
  if (!isObject(value)) throw new ScimFault('invalidValue', 'Without a path, value is an object.')
  for (const [name, each] of Object.entries(value)) {
    const at = parsePath(name)
    // Okta repeats the id of what it changes.
    if (at === null || READ_ONLY.includes(at.name)) continue
    put(draft, at, { value: each, isAdded: verb === 'add' })
  }
}

const PATH = /^([^.[\]]+)(?:\[([^\]]+)\])?(?:\.([^.[\]]+))?$/

/** Null for an attribute of an extension. */
function parsePath(text: string): Path | null {
  const bare = withoutUrn(text)
  if (/^urn:/i.test(bare)) return null
  const [, attribute = '', filter = null, sub = null] =
    bare.length > FILTER_CHARS_MAX ? [] : (PATH.exec(bare) ?? [])
  const name = toName(attribute)
  const subName = sub === null ? null : toName(sub)
  if (name !== null && (sub === null || subName !== null)) return { name, filter, sub: subName }
  throw new ScimFault('invalidPath', 'path must be attribute, attribute.sub or attribute[filter].')
}

interface Given {
  readonly value: unknown
  readonly isAdded: boolean
}

function put(draft: Draft, path: Path, given: Given): void {
  const { name, filter, sub } = path
  const value = withNames(given.value)
  const old = draft[name]
  if (filter !== null) draft[name] = putInto(toList(old), path, value)
  else if (sub !== null) draft[name] = { ...(isObject(old) ? old : {}), [sub]: value }
  else if (given.isAdded && MANY.includes(name)) draft[name] = union(toList(old), toList(value))
  else if (given.isAdded && isObject(old) && isObject(value)) draft[name] = { ...old, ...value }
  else draft[name] = value
}

/** Where no element is meant, one is made of what the filter asks for, as Entra relies on. */
function putInto(list: readonly unknown[], { filter, sub }: Path, value: unknown): unknown[] {
  const { matches, lookup } = parseFilter(filter ?? '')
  const change = (element: Json): Json => {
    if (sub !== null) return { ...element, [sub]: value }
    return isObject(value) ? { ...element, ...value } : element
  }
  if (list.some((each) => isObject(each) && matches(each))) {
    return list.map((each) => (isObject(each) && matches(each) ? change(each) : each))
  }
  return [...list, change(lookup === null ? {} : { [lookup.name]: lookup.value })]
}

function remove(draft: Draft, { name, filter, sub }: Path, value: unknown): void {
  const old = draft[name]
  if (filter !== null) {
    const { matches } = parseFilter(filter)
    draft[name] = toList(old).flatMap((each) => {
      if (!isObject(each) || !matches(each)) return [each]
      return sub === null ? [] : [without(each, sub)]
    })
  } else if (sub !== null) {
    if (isObject(old)) draft[name] = without(old, sub)
  } else if (MANY.includes(name) && value !== undefined && value !== null) {
    const gone = new Set(toList(withNames(value)).map(valueOf))
    draft[name] = toList(old).filter((each) => !gone.has(valueOf(each)))
  } else {
    delete draft[name]
  }
}

function without(element: Json, name: string): Json {
  return Object.fromEntries(Object.entries(element).filter(([key]) => key !== name))
}

function union(old: readonly unknown[], added: readonly unknown[]): unknown[] {
  const byValue = new Map([...old, ...added].map((each) => [valueOf(each), each]))
  return [...byValue.values()]
}

function valueOf(element: unknown): unknown {
  return isObject(element) ? element['value'] : element
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === undefined || value === null ? [] : [value]
}
