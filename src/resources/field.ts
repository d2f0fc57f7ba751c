// The fields of a noun: what a value may be, and what each surface says of it. The API's schemas,
// the store's columns, the audit log's facts, the command line's options and the console's forms
// follow from a declaration of these. It is built into the console, so it imports types alone.

import type { BudgetScope } from '../core/budget.ts'
import type { Money } from '../core/money.ts'

/** The command line's option: `--name VALUE`, and what its help says. */
interface FieldOption {
  readonly name: string
  readonly value?: string
  readonly about: string
}

/** In the console's form. */
interface FieldForm {
  /** Where the form has more to say than the field's label. */
  readonly label?: string
  readonly help?: string
  readonly placeholder?: string
  /** Said of a value that is refused, where the kind's own words do not fit. */
  readonly fault?: string
  /** What having none means; left out: `none`. */
  readonly none?: string
}

interface Described {
  /** The name for people: in forms and in the audit log. */
  readonly label: string
  /** In the API's document: of bodies, and of answers. */
  readonly help?: string
  readonly answer?: string
  readonly form?: FieldForm
  readonly option?: FieldOption
  /** Of the command line's table, which has it where one row has a value. */
  readonly column?: { readonly heading: string; readonly charsMax: number }
  /** In memory and in the store's row, where they differ from the API's name. */
  readonly property?: string
  readonly stored?: string
  /** Must be given for a new one. */
  readonly isRequired?: true
  /** No call depends on it: proxies keep no copy of it. */
  readonly isForPeople?: true
}

interface Required {
  readonly isRequired: true
}

/** One line of text, which is always there. */
export interface NameField extends Described {
  readonly kind: 'name'
  readonly charsMax: number
  readonly example: string
}

/** One line of text, or null. */
export interface TextField extends Described {
  readonly kind: 'text'
  readonly charsMax: number
  readonly example: string
}

/** A text of a form of its own, which is always there. */
export interface WordField extends Described {
  readonly kind: 'word'
  readonly charsMax: number
  readonly pattern: RegExp
  /** What follows the field's name where one is refused. */
  readonly rule: string
  /** Upper case and blanks around it make no difference. */
  readonly isLowerCase?: true
  readonly example: string
}

/** What an entry of a list may be. */
export interface ListItem {
  readonly pattern: RegExp
  /** Several of them: `ids of providers`. */
  readonly words: string
  /** Whether blanks around it are dropped; they are refused otherwise. */
  readonly isTrimmed?: true
}

/** Each entry once; empty for none. */
export interface ListField extends Described {
  readonly kind: 'list'
  readonly countMax: number
  readonly item: ListItem
  readonly example: readonly string[]
}

/** Dimensions by name. */
export interface DimsField extends Described {
  readonly kind: 'dims'
  readonly example: Readonly<Record<string, string>>
}

export interface FlagField extends Described {
  readonly kind: 'flag'
  readonly example: boolean
}

/** A whole number from 1, or null for no limit. */
export interface LimitField extends Described {
  readonly kind: 'limit'
  readonly max: number
  readonly example: number
}

/** A moment that is still to come when it is set, or null for never. */
export interface ExpiryField extends Described {
  readonly kind: 'expiry'
  readonly example: null
}

/** One of them. */
export interface ChoiceField extends Described {
  readonly kind: 'choice'
  readonly choices: readonly string[]
  /** What people call each of them. */
  readonly names?: Readonly<Record<string, string>>
  /** Of something new, where it need not be given. */
  readonly preset?: string
  readonly example: string
}

/** One or more of them, each once, in their order. */
export interface ChoicesField extends Described {
  readonly kind: 'choices'
  readonly choices: readonly string[]
  readonly example: readonly string[]
}

/** An amount above zero, in USD. A text is exact. */
export interface UsdField extends Described {
  readonly kind: 'usd'
  readonly max: number
  readonly example: number
}

/** Whose spend a budget counts. */
export interface ScopeField extends Described {
  readonly kind: 'scope'
  readonly example: string
}

/** Whole percentages, each once, rising. */
export interface PercentsField extends Described {
  readonly kind: 'percents'
  readonly countMax: number
  readonly max: number
  /** Of something new. */
  readonly preset: readonly number[]
  readonly example: readonly number[]
}

export type Field =
  | NameField
  | TextField
  | WordField
  | ListField
  | DimsField
  | FlagField
  | LimitField
  | ExpiryField
  | ChoiceField
  | ChoicesField
  | UsdField
  | ScopeField
  | PercentsField

export type FieldKind = Field['kind']

/** By the API's names, which are the names of the columns and of the audit log's facts as well. */
export type Fields = Readonly<Record<string, Field>>

/** The field of that kind. */
export type FieldOf<Kind extends FieldKind> = Extract<Field, { readonly kind: Kind }>

/** In memory. */
export interface Values {
  name: string
  word: string
  text: string | null
  list: readonly string[]
  dims: Readonly<Record<string, string>>
  flag: boolean
  limit: number | null
  expiry: number | null
  choice: string
  choices: readonly string[]
  usd: Money
  scope: BudgetScope
  percents: readonly number[]
}

/** In the API's bodies. */
export interface Wires {
  name: string
  word: string
  text: string | null
  list: string[]
  dims: Record<string, string>
  flag: boolean
  limit: number | null
  expiry: string | null
  choice: string
  choices: string[]
  usd: number | string
  scope: string
  percents: number[]
}

/** In its answers. */
export interface Answers extends Wires {
  usd: number
}

/** In the store's row: lists and dimensions are JSON, a flag is 0 or 1. */
export interface Columns {
  name: string
  word: string
  text: string | null
  list: string
  dims: string
  flag: number
  limit: number | null
  expiry: number | null
  choice: string
  choices: string
  /** Of picos, as decimal text. */
  usd: string
  scope: string
  percents: string
}

/** One of the choices of a field that has them, rather than any text. */
type Chosen<Of extends Field, Value> = Of extends ChoiceField
  ? Of['choices'][number]
  : Of extends ChoicesField
    ? Of['choices'][number][]
    : Value

/** `use_credentials` is `useCredentials` in memory. */
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name

type PropertyOf<Name extends string, Of extends Field> = Of extends {
  readonly property: infer Property extends string
}
  ? Property
  : Camel<Name>

type StoredName<Name extends string, Of extends Field> = Of extends {
  readonly stored: infer Stored extends string
}
  ? Stored
  : Name

export type NameOf<Of extends Fields> = keyof Of & string

export type SettingsOf<Of extends Fields> = {
  readonly [Name in NameOf<Of> as PropertyOf<Name, Of[Name]>]: Readonly<
    Chosen<Of[Name], Values[Of[Name]['kind']]>
  >
}

/** What may be left out of something new. */
export type DefaultsOf<Of extends Fields> = SettingsOf<{
  readonly [Name in NameOf<Of> as Of[Name] extends Required ? never : Name]: Of[Name]
}>

export type WireOf<Of extends Fields> = {
  [Name in NameOf<Of>]: Chosen<Of[Name], Wires[Of[Name]['kind']]>
}

export type AnswerOf<Of extends Fields> = {
  [Name in NameOf<Of>]: Chosen<Of[Name], Answers[Of[Name]['kind']]>
}

export type ColumnsOf<Of extends Fields> = {
  [Name in NameOf<Of> as StoredName<Name, Of[Name]>]: Columns[Of[Name]['kind']]
}

/** The body of something new: what is required, and any of the rest. */
export type NewOf<Of extends Fields> = {
  readonly [Name in NameOf<Of> as Of[Name] extends Required ? Name : never]: WireOf<Of>[Name]
} & Some<WireOf<Of>>

/** Any of them; what is undefined is not given. */
export type Some<Whole> = { readonly [Name in keyof Whole]?: Whole[Name] | undefined }

/** The names of the fields of these kinds. */
export type NamesOfKind<Of extends Fields, Kind extends FieldKind> = {
  [Name in NameOf<Of>]: Of[Name]['kind'] extends Kind ? Name : never
}[NameOf<Of>]

/** In the order of the declaration. */
export function namesOf<Of extends Fields>(fields: Of): readonly NameOf<Of>[] {
  return Object.keys(fields) as NameOf<Of>[]
}

export function namesOfKind<Of extends Fields, const Kind extends FieldKind>(
  fields: Of,
  ...kinds: readonly Kind[]
): readonly NamesOfKind<Of, Kind>[] {
  const isKind = (name: NameOf<Of>): name is NamesOfKind<Of, Kind> =>
    kinds.some((kind) => kind === fields[name]?.kind)
  return namesOf(fields).filter(isKind)
}
