// The filters of GET /v1/analysis: FIELD=VALUE and FIELD!=VALUE. Must stay true: what can match no
// call is refused rather than answered with nothing, and no error repeats a value.

import { dimKeyFault, dimValueFault } from '../../core/dims.ts'
import type { AnalysisFilter } from '../../store/usage/analysis.ts'
import { CALL_STATUSES, COST_SOURCES } from '../requests/request-contract.ts'
import { MODEL_CHARS_MAX, PROVIDER_CHARS_MAX } from '../requests/request-contract.ts'
import {
  AGENT_KINDS,
  keyIdParameter,
  oneOf,
  personIdParameter,
  teamIdParameter,
  text,
} from '../parameter-schemas.ts'
import { invalidParameter } from '../invalid-parameter.ts'
import { FILTER_VALUES_MAX } from '../parameter-schemas.ts'
import { FILTERS_MAX } from './analysis-contract.ts'
import { NAMED_FIELDS } from './analysis-orders.ts'
import type { AskedField } from './analysis-orders.ts'

export interface AskedFilter extends Omit<AnalysisFilter, 'field'> {
  readonly field: AskedField
}

const FILTER = /^([^=!]*)(!?=)(.*)$/su
const FORM =
  'Parameter filter must be FIELD=VALUE or FIELD!=VALUE; FIELD is one of ' +
  `${NAMED_FIELDS.join(', ')} or dim:KEY with the key of a dimension.`
/** Of sessions there are too many for sums of every shape. */
const NO_SESSIONS =
  'Parameter filter takes no session: GET /v1/agent-sessions has the sums of each session, and GET /v1/requests?session= its calls.'

/** Throws `invalid_parameter`. */
export function parseFilters(given: readonly string[]): readonly AskedFilter[] {
  const filters = new Map<
    string,
    { field: AskedField; isExcluding: boolean; values: Set<string | null> }
  >()
  for (const each of given) {
    const [, name = '', operator = '', written = ''] = FILTER.exec(each) ?? []
    const field = toField(name)
    if (name === 'session') throw invalidParameter(NO_SESSIONS)
    if (field === null) throw invalidParameter(FORM)
    const known = filters.get(name + operator)
    const filter = known ?? { field, isExcluding: operator === '!=', values: new Set() }
    filter.values.add(toValue(field, written))
    filters.set(name + operator, filter)
    if (filters.size > FILTERS_MAX) {
      throw invalidParameter(`Parameter filter names more than ${FILTERS_MAX} fields; name fewer.`)
    }
    if (filter.values.size > FILTER_VALUES_MAX) {
      throw invalidParameter(
        `Parameter filter has more than ${FILTER_VALUES_MAX} values of one field; give fewer.`,
      )
    }
  }
  return Array.from(filters.values(), (filter) => ({ ...filter, values: [...filter.values] }))
}

function toField(name: string): AskedField | null {
  const plain = NAMED_FIELDS.find((field) => field === name)
  if (plain !== undefined) return plain
  const isDim = name.startsWith('dim:') && dimKeyFault(name.slice('dim:'.length)) === null
  return isDim ? (name as `dim:${string}`) : null
}

const PARTS = {
  provider: text('provider', PROVIDER_CHARS_MAX),
  creator: text('creator', MODEL_CHARS_MAX),
  model: text('model', MODEL_CHARS_MAX),
  api_key: keyIdParameter,
  team: teamIdParameter,
  person: personIdParameter,
} as const

/** Null stands for calls without a value. */
function toValue(field: AskedField, written: string): string | null {
  const fault = written === '' ? emptyFault(field) : valueFault(field, written)
  if (fault !== null) throw invalidParameter(`Parameter filter: ${fault}.`)
  return written === '' ? null : written
}

function emptyFault(field: AskedField): string | null {
  const isAlways = field === 'provider' || field === 'status' || field === 'source'
  return isAlways ? `every call has a ${field}, so its value must not be empty` : null
}

function valueFault(field: AskedField, value: string): string | null {
  switch (field) {
    case 'status':
      return isOneOf(value, CALL_STATUSES) ? null : oneOf(field, CALL_STATUSES)
    case 'agent_kind':
      return isOneOf(value, AGENT_KINDS) ? null : oneOf(field, AGENT_KINDS)
    case 'source':
      return isOneOf(value, COST_SOURCES) ? null : oneOf(field, COST_SOURCES)
    case 'provider':
    case 'creator':
    case 'model':
    case 'api_key':
    case 'team':
    case 'person': {
      const parsed = PARTS[field].safeParse(value)
      return parsed.success ? null : (parsed.error.issues[0]?.message ?? '')
    }
    case 'tool':
    case 'tool_version':
    case 'repository':
    default: {
      const fault = dimValueFault(value)
      return fault === null ? null : `of ${field} ${fault}`
    }
  }
}

function isOneOf(value: string, known: readonly string[]): boolean {
  return known.includes(value)
}
