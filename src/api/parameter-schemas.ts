// Schemas that several parts of the contract share. Must stay true: unexpected input is refused,
// not guessed, and no error repeats a value.

import { z } from 'zod'
import type { AgentKind } from '../core/agents/call-agent.ts'
import { DIM_KEY, DIM_VALUE_CHARS_MAX, dimValueFault } from '../core/dims.ts'
import { PERSON_ID, TEAM_ID } from '../core/teams/team.ts'

/** `id` is its name in the document and the clients. */
export function named<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.object(shape).meta({ id })
}

/** Of one filter. */
export const FILTER_VALUES_MAX = 50

/** Unlisted members are refused. */
export function namedBody<Shape extends z.ZodRawShape>(id: string, shape: Shape) {
  return z.strictObject(shape).meta({ id })
}

/** The `next_cursor` of the page before. */
export function pageCursor(pattern: RegExp) {
  return z.string().regex(pattern, 'cursor must be the next_cursor of a page').optional()
}

/** Of what can be changed. An answer that has it carries it as ETag too. */
export const versionMember = z.int().describe('Rises with every change: the value for If-Match.')

export const oneOf = (name: string, values: readonly string[]): string =>
  `${name} must be one of ${values.join(', ')}`

/** Digits only: `1e1`, `+5`, `5.0` and `05` are refused. */
export function integer(
  name: string,
  range: { readonly min?: 0; readonly max: number; readonly preset: number },
) {
  const { min = 1, max, preset } = range
  const error = `${name} must be an integer from ${min} to ${max}, in digits`
  return z
    .string(error)
    .regex(/^(?:0|[1-9]\d{0,5})$/, error)
    .transform(Number)
    .refine((value) => min <= value && value <= max, error)
    .optional()
    .meta({ type: 'integer', minimum: min, maximum: max, default: preset })
}

/** In letters: `1` and an empty value are refused. */
export function flag(name: string) {
  const error = oneOf(name, ['true', 'false'])
  return z
    .string(error)
    .refine((value) => value === 'true' || value === 'false', error)
    .transform((value) => value === 'true')
    .optional()
    .meta({ type: 'boolean', default: false })
}

/** Anything but control characters. */
export function text(name: string, charsMax: number) {
  const error = `${name} must be 1 to ${charsMax} characters without control characters`
  const pattern = new RegExp(`^\\P{Cc}{1,${charsMax}}$`, 'u')
  return z
    .string(error)
    .refine((value) => pattern.test(value), error)
    .optional()
    .meta({ minLength: 1, maxLength: charsMax })
}

/** May be given several times; a call must match one of the values. */
export function several<Value extends z.ZodType>(name: string, value: Value, valuesMax: number) {
  const error = `${name} may be given at most ${valuesMax} times`
  return z.array(value).min(1).max(valuesMax, error).optional()
}

/** UTC, as milliseconds; a date alone is its first. */
export function moment(name: string) {
  const error =
    `${name} must be a date, YYYY-MM-DD, or a moment in UTC, YYYY-MM-DDThh:mm:ssZ, ` +
    'with at most three digits of a second'
  return z
    .string(error)
    .refine((written) => parseMoment(written) !== null, error)
    .transform((written) => parseMoment(written) as number)
    .optional()
}

// A whole credential has a dot and is refused: its secret must not be in a URL.
export const keyIdParameter = z
  .string()
  .regex(
    /^svc_k_[A-Za-z0-9_-]{1,64}$/,
    'api_key must be the id of a key, svc_k_…, without its secret',
  )
  .optional()

export const teamIdParameter = z.string().regex(TEAM_ID, 'team must be the id of a team, team_…')

export const personIdParameter = z
  .string()
  .regex(PERSON_ID, 'person must be the id of a user, user_…')

export const dimKeyParameter = z
  .string()
  .regex(
    DIM_KEY,
    'dim_key must be a letter, then up to 63 letters, digits, dots, dashes or underscores',
  )
  .optional()

export const dimValueParameter = valueText('dim_value')
  .optional()
  .meta({ minLength: 1, maxLength: DIM_VALUE_CHARS_MAX })

/** Of a dimension, and of what a coding agent said of itself. */
export function valueText(name: string) {
  return z
    .string()
    .refine(
      (value) => dimValueFault(value) === null,
      `${name} must be 1 to ${DIM_VALUE_CHARS_MAX} characters without control characters`,
    )
}

export const AGENT_KINDS = ['main', 'subagent'] as const satisfies readonly AgentKind[]
export const agentKindParameter = z.enum(AGENT_KINDS, oneOf('agent_kind', AGENT_KINDS))

const MOMENT = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?Z)?$/

/** Null if invalid or before 1970: nothing was recorded then, and request ids cannot express it. */
function parseMoment(written: string): number | null {
  const [, day] = MOMENT.exec(written) ?? []
  // A date alone is UTC (ECMA-262, section 21.4.1.32).
  const timeMs = day === undefined ? NaN : Date.parse(written)
  if (!(timeMs >= 0)) return null
  // `Date.parse` reads 30 February as a day in March, and hour 24 as the next day.
  return new Date(timeMs).toISOString().startsWith(`${day}T`) ? timeMs : null
}
