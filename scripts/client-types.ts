// From JSON Schema to the types of the client, as far as the API's own document uses it. Must stay
// true: a schema that is not understood stops the generator, rather than becoming a type that
// allows anything.

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
}

export interface Member {
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description?: string | undefined
}

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

export function toType(schema: Schema): string {
  if (schema.$ref !== undefined) return toName(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map(toLiteral).join(' | ')
  if (schema.const !== undefined) return toLiteral(schema.const)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map(toType).join(' | ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.length === 0) throw new Error(`A schema without a type: ${JSON.stringify(schema)}`)
  return types.map((type) => toTypeOf(type, schema)).join(' | ')
}

function toTypeOf(type: string, schema: Schema): string {
  const simple = SIMPLE[type]
  if (simple !== undefined) return simple
  if (type === 'array' && schema.items !== undefined) return `readonly (${toType(schema.items)})[]`
  if (type !== 'object') throw new Error(`A schema of an unknown kind: ${JSON.stringify(schema)}`)
  const { properties, additionalProperties } = schema
  if (properties !== undefined) return toMembers(listMembers(schema))
  if (typeof additionalProperties === 'object') {
    // Members of any kind, which the document says by a schema that asks for nothing.
    if (Object.keys(additionalProperties).length === 0) return 'Readonly<Record<string, unknown>>'
    return `Readonly<Record<string, ${toType(additionalProperties)}>>`
  }
  throw new Error(`An object of which nothing is said: ${JSON.stringify(schema)}`)
}

export function listMembers({ properties = {}, required = [] }: Schema): Member[] {
  return Object.entries(properties).map(([name, member]) => ({
    name,
    type: toType(member),
    isRequired: required.includes(name),
    description: member.description,
  }))
}

/**
 * What may be left out may be undefined too: callers build their questions from options of their
 * own.
 */
export function toMembers(members: readonly Member[]): string {
  const lines = members.map(({ name, type, isRequired, description }) => {
    const loose = type === 'undefined' ? type : `${type} | undefined`
    const member = isRequired ? `readonly ${name}: ${type}` : `readonly ${name}?: ${loose}`
    return description === undefined ? member : `${toComment(description)}\n${member}`
  })
  return `{\n${lines.join('\n')}\n}`
}

/** Every name that a schema refers to. */
export function listReferences(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [toName(value)] : listReferences(value),
  )
}

export function toName(reference: string): string {
  return reference.split('/').at(-1) as string
}

export function toComment(text: string): string {
  return `/** ${text.replaceAll('*/', '* /')} */`
}

function toLiteral(value: unknown): string {
  return JSON.stringify(value)
}
