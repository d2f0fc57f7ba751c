// The options that set a noun's fields, from its declaration, and the API's body of what was given.
// Must stay true: what the API would refuse is refused here, in the same words, by option.

import { toBodyMembers } from '../api/field-schemas.ts'
import { dimKeyFault, dimValueFault } from '../core/dims.ts'
import { namesOf } from '../resources/field.ts'
import type { Field, Fields, WireOf } from '../resources/field.ts'
import { invalidArgument, UsageError } from './command.ts'
import type { CommandInput, CommandOption, OptionValue } from './command.ts'
import { parseExpiry } from './expiry.ts'
import { suggest } from './suggest.ts'

type Option = NonNullable<Field['option']>

interface SetField {
  /** The API's. */
  readonly name: string
  readonly field: Field
  readonly option: Option
}

function listSet(fields: Fields): SetField[] {
  return namesOf(fields).flatMap((name) => {
    const field = fields[name] as Field
    return field.option === undefined ? [] : [{ name, field, option: field.option }]
  })
}

const SEVERAL: readonly Field['kind'][] = ['list', 'dims', 'choices']

/** `isNew`: what a new one must have has to be given. */
export function toOptions(
  fields: Fields,
  { isNew = false }: { readonly isNew?: boolean } = {},
): Readonly<Record<string, CommandOption>> {
  const options = listSet(fields).map(({ field, option: { name, ...option } }) => {
    const described: CommandOption = {
      type: field.kind === 'flag' ? 'boolean' : 'string',
      ...(SEVERAL.includes(field.kind) && { multiple: true }),
      ...(isNew && field.isRequired === true && { isRequired: true }),
      ...option,
    }
    return [name, described] as const
  })
  return Object.fromEntries(options)
}

/** The options of members, for what the API says of these. */
export function toOptionNames(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(listSet(fields).map(({ name, option }) => [name, `--${option.name}`]))
}

/** As the API's body has them; only what was given. */
export function readFields<const Of extends Fields>(
  fields: Of,
  { values, clock }: Pick<CommandInput, 'values' | 'clock'>,
): Partial<WireOf<Of>> {
  const schemas = toBodyMembers<Fields>(fields)
  const given = listSet(fields).flatMap((set) => {
    const value = values[set.option.name]
    if (value === undefined) return []
    const wire = toWire(set, value, clock.now())
    const parsed = schemas[set.name]?.safeParse(wire)
    if (parsed?.success === true) return [[set.name, parsed.data]]
    const { message = '', path: [at] = [] } = parsed?.error.issues[0] ?? {}
    throw refuse(set, message, Array.isArray(value) ? (wire as string[])[Number(at)] : value)
  })
  return Object.fromEntries(given) as Partial<WireOf<Of>>
}

function toWire({ field, option }: SetField, value: OptionValue, nowMs: number): unknown {
  const flag = `--${option.name}`
  switch (field.kind) {
    case 'dims':
      return parseDims(flag, value as readonly string[])
    case 'choices':
      // Each may be a list, separated by commas.
      return (value as readonly string[]).flatMap((text) =>
        text.split(',').map((one) => one.trim()),
      )
    case 'limit':
      return /^\d{1,15}$/.test(String(value)) ? Number(value) : value
    case 'percents':
      return String(value)
        .split(',')
        .map((text) => (/^\d{1,4}$/.test(text.trim()) ? Number(text) : text))
    case 'expiry':
      return new Date(parseExpiry(String(value), nowMs)).toISOString()
    case 'choice':
    case 'flag':
    case 'list':
    case 'name':
    case 'scope':
    case 'text':
    case 'usd':
    case 'word':
      return typeof value === 'string' ? value.trim() : value
  }
}

/** The API's words with the option in place of its own name, and the value. */
function refuse({ name, field, option }: SetField, fault: string, given: OptionValue): UsageError {
  const rule = fault.slice(name.length + 1).replace(/, or (?:be )?null$/, '')
  // A name or a text may hold what rewrites a terminal.
  const isShown = typeof given === 'string' && field.kind !== 'name' && field.kind !== 'text'
  const unlike = isShown ? `, unlike ${JSON.stringify(given)}` : ''
  return invalidArgument(`--${option.name} ${rule}${unlike}.`, toHint(field, option, given))
}

function toHint(field: Field, { name }: Option, given: OptionValue): string {
  const nearest = 'choices' in field ? suggest(String(given), field.choices) : null
  const { example } = field
  const such = JSON.stringify(String(Array.isArray(example) ? example[0] : example))
  return nearest ?? `Write it such as --${name} ${such}.`
}

function parseDims(flag: string, pairs: readonly string[]): Record<string, string> {
  const dims = new Map<string, string>()
  for (const pair of pairs) {
    const at = pair.indexOf('=')
    const key = pair.slice(0, Math.max(at, 0)).trim()
    const value = pair.slice(at + 1).trim()
    const twice = dims.has(key) ? 'the key is given twice' : null
    const fault = at === -1 ? 'the pair has no "="' : (dimKeyFault(key) ?? dimValueFault(value))
    if ((fault ?? twice) !== null) {
      const message = `${flag} "${pair}" is not a dimension: ${fault ?? twice}.`
      throw invalidArgument(message, `Write ${flag} KEY=VALUE.`)
    }
    dims.set(key, value)
  }
  return Object.fromEntries(dims)
}

const EMPTY = { text: null, list: [], dims: {}, flag: false, limit: null, expiry: null } as const

/** What `--clear` leaves behind, of the options that can be cleared. */
function listCleared(fields: Fields): ReadonlyMap<string, readonly [string, unknown]> {
  return new Map(
    listSet(fields).flatMap(({ name, field: { kind }, option }) =>
      kind in EMPTY ? [[option.name, [name, EMPTY[kind as keyof typeof EMPTY]]] as const] : [],
    ),
  )
}

export function toClearOption(fields: Fields): CommandOption {
  const names = [...listCleared(fields).keys()].join(', ')
  const about = `remove what an option had set: ${names}`
  return { type: 'string', multiple: true, value: 'OPTION', about }
}

/** The members that `--clear` empties. */
export function readCleared<const Of extends Fields>(
  fields: Of,
  { values }: Pick<CommandInput, 'values'>,
): Partial<WireOf<Of>> {
  const clearable = listCleared(fields)
  const asked = (values['clear'] ?? []) as readonly string[]
  const cleared = asked.map((option) => {
    const member = clearable.get(option)
    if (member === undefined) {
      const known = [...clearable.keys()]
      const hint = suggest(option, known) ?? `Choose from: ${known.join(', ')}.`
      throw new UsageError(`--clear ${option} is not an option that can be cleared.`, hint)
    }
    if (values[option] !== undefined) {
      const message = `--${option} and --clear ${option} contradict each other.`
      throw new UsageError(message, `--${option} alone replaces what it had.`)
    }
    return member
  })
  return Object.fromEntries(cleared) as Partial<WireOf<Of>>
}
