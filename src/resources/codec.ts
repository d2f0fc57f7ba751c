// Between the forms that a noun's settings have: in memory, in the store's row, and in the API's
// bodies and answers, which the audit log repeats. Must stay true: what was written is read again.

import { assert } from '../core/assert.ts'
import { parseLimit, SCOPE_KINDS } from '../core/budget.ts'
import type { BudgetScope } from '../core/budget.ts'
import { formatScope, parseScope } from '../core/budget-scope.ts'
import { formatMoney, toAnswerUsd } from '../core/money.ts'
import { namesOf } from './field.ts'
import type {
  AnswerOf,
  Columns,
  ColumnsOf,
  DefaultsOf,
  Field,
  FieldKind,
  FieldOf,
  Fields,
  NameOf,
  NewOf,
  SettingsOf,
  Some,
  Values,
  WireOf,
  Wires,
} from './field.ts'

interface KindCodec<Of, Value, Wire, Column> {
  /** Of something new, where nothing is given. */
  readonly empty: Value
  readonly toWire: (value: Value, field: Of) => Wire
  readonly fromWire: (wire: Wire, field: Of) => Value
  readonly toColumn: (value: Value, field: Of) => Column
  readonly fromColumn: (column: Column, field: Of) => Value
  /** For the audit log, where an answer's value is not exact. */
  readonly toFact?: (value: Value, field: Of) => unknown
}

type KindCodecs = {
  readonly [Kind in FieldKind]: KindCodec<FieldOf<Kind>, Values[Kind], Wires[Kind], Columns[Kind]>
}

const same = <Value>(value: Value): Value => value

function asItIs<Value>(empty: Value): KindCodec<Field, Value, Value, Value> {
  return { empty, toWire: same, fromWire: same, toColumn: same, fromColumn: same }
}

const KINDS: KindCodecs = {
  name: asItIs(''),
  word: asItIs(''),
  text: asItIs<string | null>(null),
  limit: asItIs<number | null>(null),
  list: {
    empty: [],
    toWire: (list) => [...list],
    fromWire: (list) => [...new Set(list)],
    toColumn: (list) => JSON.stringify(list),
    fromColumn: parseList,
  },
  dims: {
    empty: {},
    toWire: (dims) => ({ ...dims }),
    fromWire: same,
    toColumn: (dims) => JSON.stringify(dims),
    fromColumn: parseDims,
  },
  flag: {
    ...asItIs<boolean>(false),
    toColumn: Number,
    fromColumn: (column) => column === 1,
  },
  expiry: {
    ...asItIs<number | null>(null),
    toWire: (timeMs) => (timeMs === null ? null : new Date(timeMs).toISOString()),
    fromWire: (written) => (written === null ? null : Date.parse(written)),
  },
  choice: {
    ...asItIs(''),
    fromColumn: (column, { choices, label }) => {
      assert(choices.includes(column), `a stored ${label.toLowerCase()} is a known one`)
      return column
    },
  },
  choices: {
    empty: [],
    toWire: (chosen) => [...chosen],
    fromWire: (chosen, { choices }) => choices.filter((each) => chosen.includes(each)),
    toColumn: (chosen) => JSON.stringify(chosen),
    // One that this Weir does not know grants nothing.
    fromColumn: (column, { choices }) => {
      const chosen = parseList(column)
      return choices.filter((each) => chosen.includes(each))
    },
  },
  usd: {
    empty: 0n,
    toWire: toAnswerUsd,
    toFact: formatMoney,
    fromWire: (usd) => {
      const amount = parseLimit(usd)
      assert(amount !== null, 'an amount that was checked is one')
      return amount
    },
    toColumn: (amount) => {
      assert(amount > 0n, 'a stored limit is above zero')
      return amount.toString()
    },
    fromColumn: BigInt,
  },
  scope: {
    empty: { kind: 'global' },
    toWire: formatScope,
    fromWire: (text) => {
      const parsed = parseScope(text)
      assert('scope' in parsed, 'a scope that was checked is one')
      return parsed.scope
    },
    toColumn: (scope) => JSON.stringify(scope),
    fromColumn: (text) => {
      const scope = JSON.parse(text) as BudgetScope
      assert(SCOPE_KINDS.includes(scope.kind), 'a stored scope is of a known kind')
      return scope
    },
  },
  percents: {
    empty: [],
    toWire: (percents) => [...percents],
    fromWire: (percents) => [...new Set(percents)].toSorted((one, other) => one - other),
    toColumn: (percents) => {
      assert(areRising(percents), 'percentages are whole, above zero and rising')
      return JSON.stringify(percents)
    },
    fromColumn: (text) => {
      const percents: unknown = JSON.parse(text)
      assert(areRising(percents), 'stored percentages are whole, above zero and rising')
      return percents
    },
  },
}

function parseList(text: string): string[] {
  const list: unknown = JSON.parse(text)
  assert(Array.isArray(list) && list.every(isText), 'a stored list contains texts')
  return list
}

function parseDims(text: string): Record<string, string> {
  const dims: unknown = JSON.parse(text)
  assert(typeof dims === 'object' && dims !== null, 'stored dimensions are an object')
  assert(Object.values(dims).every(isText), 'stored dimensions are texts')
  return dims as Record<string, string>
}

function areRising(list: unknown): list is readonly number[] {
  if (!Array.isArray(list)) return false
  return list.every(
    (percent: unknown, at) =>
      Number.isSafeInteger(percent) && (percent as number) > ((list[at - 1] as number) ?? 0),
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

export interface Codec<Of extends Fields> {
  /** The columns' names, in the order of the declaration. */
  readonly columns: readonly (keyof ColumnsOf<Of> & string)[]
  /** Of something new, where nothing is given. */
  readonly defaults: DefaultsOf<Of>
  /** Members that are left out are left out of the result as well; the same below. */
  toColumns(settings: SettingsOf<Of>): ColumnsOf<Of>
  toColumns(change: Some<SettingsOf<Of>>): Partial<ColumnsOf<Of>>
  fromColumns(row: ColumnsOf<Of>): SettingsOf<Of>
  toAnswer(settings: SettingsOf<Of>): AnswerOf<Of>
  /** For the audit log, by the API's names. */
  toFacts(settings: SettingsOf<Of>): Readonly<Record<NameOf<Of>, unknown>>
  /** Of a body that was checked. */
  fromWire(body: Some<WireOf<Of>>): Partial<SettingsOf<Of>>
  /** Of something new, with the defaults of what is left out. */
  fromNew(body: NewOf<Of>): SettingsOf<Of>
}

interface Member {
  /** The API's. */
  readonly name: string
  readonly property: string
  readonly stored: string
  readonly field: Field
  readonly codec: AnyCodec
}

type AnyCodec = KindCodec<Field, unknown, unknown, unknown>

type MemberName = 'name' | 'property' | 'stored'
type Bag = Readonly<Record<string, unknown>>

/** The types of what goes in and comes out are those of the declaration. */
export function createCodec<const Of extends Fields>(fields: Of): Codec<Of> {
  const members = namesOf(fields).map((name): Member => {
    const field = fields[name] as Field
    // A member's codec is given nothing but its own field and values.
    const codec = KINDS[field.kind] as AnyCodec
    const { property = toProperty(name), stored = name } = field
    return { name, property, stored, field, codec }
  })

  function convert(
    from: Bag,
    [fromName, toName]: readonly [MemberName, MemberName],
    way: Exclude<keyof AnyCodec, 'empty'>,
  ): Bag {
    const converted: Record<string, unknown> = {}
    for (const member of members) {
      const value = from[member[fromName]]
      const convertOne = member.codec[way] ?? member.codec.toWire
      if (value !== undefined) converted[member[toName]] = convertOne(value, member.field)
    }
    return converted
  }

  const optional = members.filter(({ field }) => field.isRequired !== true)
  const defaults = Object.freeze(
    Object.fromEntries(
      optional.map(({ property, field, codec }) => {
        return [property, 'preset' in field ? field.preset : codec.empty]
      }),
    ),
  )
  const fromWire = (body: Bag): Bag => convert(body, ['name', 'property'], 'fromWire')

  return {
    columns: members.map(({ stored }) => stored),
    defaults,
    toColumns: (settings: Bag) => convert(settings, ['property', 'stored'], 'toColumn'),
    fromColumns: (row: Bag) => convert(row, ['stored', 'property'], 'fromColumn'),
    toAnswer: (settings: Bag) => convert(settings, ['property', 'name'], 'toWire'),
    toFacts: (settings: Bag) => convert(settings, ['property', 'name'], 'toFact'),
    fromWire,
    fromNew: (body: Bag) => ({ ...defaults, ...fromWire(body) }),
  } as object as Codec<Of>
}

/** `useCredentials`, of `use_credentials`. */
function toProperty(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
