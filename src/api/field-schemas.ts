// The API's schemas of a noun's fields, from its declaration: as bodies may give them, with what is
// said of one that is refused, and as answers have them.

import { z } from 'zod'
import { parseLimit } from '../core/budget.ts'
import { parseScope } from '../core/budget-scope.ts'
import { DIM_KEY, DIM_PAIRS_MAX, dimValueFault } from '../core/dims.ts'
import { isPlainText } from '../core/key-rules.ts'
import { namesOf } from '../resources/field.ts'
import type { AnswerOf, Field, Fields, NameOf, WireOf } from '../resources/field.ts'
import { ruleOf } from '../resources/rules.ts'

type Schema<Wire> = z.ZodType<Wire, Wire>

type Members<Of extends Fields> = {
  readonly [Name in NameOf<Of>]: Schema<WireOf<Of>[Name]>
}

/** Of something new: what is required is, all else may be left out. */
type NewMembers<Of extends Fields> = {
  readonly [Name in NameOf<Of>]: Of[Name] extends { readonly isRequired: true }
    ? Members<Of>[Name]
    : z.ZodOptional<Members<Of>[Name]>
}

type ChangeMembers<Of extends Fields> = {
  readonly [Name in NameOf<Of>]: z.ZodOptional<Members<Of>[Name]>
}

type AnswerMembers<Of extends Fields> = {
  readonly [Name in NameOf<Of>]: Schema<AnswerOf<Of>[Name]>
}

export function toBodyMembers<const Of extends Fields>(fields: Of): Members<Of> {
  return mapFields(fields, (field, name) => {
    const schema = toBodySchema(field, `${name} ${ruleOf(field)}${orNull(field)}`)
    return withWords(schema, field.help, field.example)
  }) as Members<Of>
}

export function toNewMembers<const Of extends Fields>(fields: Of): NewMembers<Of> {
  const members = toBodyMembers(fields) as Record<string, z.ZodType>
  return mapFields(fields, (field, name) =>
    field.isRequired === true ? members[name] : members[name]?.optional(),
  ) as NewMembers<Of>
}

export function toChangeMembers<const Of extends Fields>(fields: Of): ChangeMembers<Of> {
  const members = toBodyMembers(fields) as Record<string, z.ZodType>
  return mapFields(fields, (_, name) => members[name]?.optional()) as ChangeMembers<Of>
}

export function toAnswerMembers<const Of extends Fields>(fields: Of): AnswerMembers<Of> {
  return mapFields(fields, (field) => {
    return withWords(toAnswerSchema(field), field.answer, field.example)
  }) as AnswerMembers<Of>
}

function withWords(schema: z.ZodType, description: string | undefined, example: unknown) {
  return schema.meta({ ...(description !== undefined && { description }), example })
}

function mapFields(fields: Fields, map: (field: Field, name: string) => unknown): object {
  return Object.fromEntries(namesOf(fields).map((name) => [name, map(fields[name] as Field, name)]))
}

function orNull({ kind }: Field): string {
  if (kind === 'text') return ', or be null'
  return kind === 'limit' || kind === 'expiry' ? ', or null' : ''
}

function toBodySchema(field: Field, fault: string): z.ZodType {
  switch (field.kind) {
    case 'name':
      return plainText(field.charsMax, fault)
    case 'text':
      return plainText(field.charsMax, fault).nullable()
    case 'word': {
      const text = z.string(fault)
      const written = field.isLowerCase === true ? text.trim().toLowerCase() : text
      return written.max(field.charsMax, fault).regex(field.pattern, fault)
    }
    case 'list': {
      const text = field.item.isTrimmed === true ? z.string(fault).trim() : z.string(fault)
      return z.array(text.regex(field.item.pattern, fault), fault).max(field.countMax, fault)
    }
    case 'dims':
      return z.record(z.string(), z.string(fault).trim(), fault).refine(areDims, { error: fault })
    case 'flag':
      return z.boolean(fault)
    case 'limit':
      return z.int(fault).min(1, fault).max(field.max, fault).nullable()
    case 'expiry':
      return z.iso.datetime(fault).nullable()
    case 'choice':
      return z.enum(field.choices, fault)
    case 'choices': {
      const { choices } = field
      return z.array(z.enum(choices, fault), fault).min(1, fault).max(choices.length, fault)
    }
    case 'usd':
      return z
        .union([z.number(), z.string()], fault)
        .refine((value) => parseLimit(value) !== null, fault)
    case 'scope':
      return z.string(fault).superRefine((text, check) => {
        const parsed = parseScope(text)
        if (!('fault' in parsed)) return
        check.addIssue({ code: 'custom', message: `scope is wrong: ${parsed.fault}` })
      })
    case 'percents': {
      const percent = z.int(fault).min(1, fault).max(field.max, fault)
      return z.array(percent, fault).max(field.countMax, fault)
    }
  }
}

function plainText(charsMax: number, fault: string) {
  return z
    .string(fault)
    .trim()
    .refine((text) => isPlainText(text, charsMax), fault)
    .meta({ minLength: 1, maxLength: charsMax })
}

function areDims(given: Readonly<Record<string, string>>): boolean {
  const pairs = Object.entries(given)
  const isDim = ([key, value]: [string, string]): boolean =>
    DIM_KEY.test(key) && dimValueFault(value) === null
  return pairs.length <= DIM_PAIRS_MAX && pairs.every(isDim)
}

function toAnswerSchema(field: Field): z.ZodType {
  switch (field.kind) {
    case 'name':
    case 'word':
      return z.string()
    case 'text':
      return z.string().nullable()
    case 'list':
      return z.array(z.string())
    case 'dims':
      return z.record(z.string(), z.string())
    case 'flag':
      return z.boolean()
    case 'limit':
      return z.int().nullable()
    case 'expiry':
      return z.iso.datetime().nullable()
    case 'choice':
      return z.enum(field.choices)
    case 'choices':
      return z.array(z.enum(field.choices))
    case 'usd':
      return z.number()
    case 'scope':
      return z.string()
    case 'percents':
      return z.array(z.int())
  }
}
