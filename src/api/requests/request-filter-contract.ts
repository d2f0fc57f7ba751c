// Which calls are meant: the filters of the request log, its order and its pages.

import { z } from 'zod'
import { CALL_WORDS } from './call-words.ts'
import { AGENT_TEXT_MAX } from '../../core/agents/call-agent.ts'
import type { CallStatus, UsageKnowledge } from '../../core/usage-event.ts'
import type { CostSource } from '../../core/usage-record.ts'
import {
  FILTER_VALUES_MAX,
  agentKindParameter,
  dimKeyParameter,
  dimValueParameter,
  integer,
  keyIdParameter,
  moment,
  oneOf,
  personIdParameter,
  several,
  teamIdParameter,
  text,
  valueText,
} from '../parameter-schemas.ts'

export const REQUESTS_LIMIT_MAX = 1000
export const REQUESTS_LIMIT_DEFAULT = 50
export const PROVIDER_CHARS_MAX = 64
export const MODEL_CHARS_MAX = 256

const STATUS_MEANINGS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(CALL_WORDS).map(([status, { label, meaning }]) => [
    status,
    label === status ? meaning : `${label}, ${meaning}`,
  ]),
)
/** Of the parameter and of a row's member. */
export const STATUS_ABOUT = `${explain(STATUS_MEANINGS)}. Of many denied calls in a minute, some are in no record`

export const SOURCE_MEANINGS: Readonly<Record<CostSource, string>> = {
  gateway: "taken from the gateway's response",
  provider: "taken from another provider's response",
  'byok-zero': "served with the caller's own provider key",
  plan: 'paid by a subscription, at no charge for the call',
  'price-book': 'computed from the list prices',
  override: "computed from the operator's prices",
  unpriced: 'not known',
  free: 'a call that is not charged',
}

export const KNOWLEDGE_MEANINGS: Readonly<Record<UsageKnowledge, string>> = {
  reported: 'the provider said what was used',
  partial: 'some of it is known: the call ended early, or a count could not be read or made',
  estimated: 'counted from the text, or as the request asked for it',
  none: 'nothing is known',
}

const ERROR_CODE = /^[A-Za-z0-9_.:-]{1,64}$/
const HTTP_STATUS = /^[1-5](?:\d\d|xx)$/
const CALL_ID = /^[A-Za-z0-9_.:-]{1,256}$/
/** Its secret must not be in a URL. */
const WHOLE_CREDENTIAL = /^svc_(?:k|agt)_.*\./
const CALL_ID_FAULT =
  'id must be an id, of up to 256 letters, digits and _ . : -, without its secret'

/** Digits only, up to some weeks. */
const duration = (name: string) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `${name} must be a number of milliseconds, in digits`)
    .transform(Number)
    .optional()

export const CALL_STATUSES = Object.keys(CALL_WORDS) as readonly CallStatus[]
export const COST_SOURCES = Object.keys(SOURCE_MEANINGS) as readonly CostSource[]
export const KNOWLEDGE = Object.keys(KNOWLEDGE_MEANINGS) as readonly UsageKnowledge[]

/** `delivered: the whole response reached the caller; refused: …` */
export function explain(meanings: Readonly<Record<string, string>>): string {
  return Object.entries(meanings)
    .map(([word, meaning]) => `${word}: ${meaning}`)
    .join('; ')
}

const filter = <Value extends z.ZodType>(name: string, value: Value) =>
  several(name, value, FILTER_VALUES_MAX)
const ANY_OF = 'Given several times, any of the values matches.'

/** Each parameter alone; to-request-query.ts checks combinations. */
export const requestFilterSchema = z.strictObject({
  from: moment('from').meta({
    type: 'string',
    description:
      'Only calls that ended at this moment or later, as hours, days and months are cut. A date, YYYY-MM-DD, is its first moment; all is UTC.',
  }),
  to: moment('to').meta({
    type: 'string',
    description: 'Only calls that ended before this moment. Must be after from.',
  }),
  api_key: filter('api_key', keyIdParameter.unwrap()).describe(
    `Only the calls of this key. ${ANY_OF}`,
  ),
  provider: filter('provider', text('provider', PROVIDER_CHARS_MAX).unwrap()).describe(
    `Only calls to this provider. ${ANY_OF}`,
  ),
  model: filter('model', text('model', MODEL_CHARS_MAX).unwrap()).describe(
    `Only calls that this model answered. A * stands for any characters; case makes no difference. ${ANY_OF}`,
  ),
  team: filter('team', teamIdParameter).describe(`Only the calls booked to this team. ${ANY_OF}`),
  person: filter('person', personIdParameter).describe(
    `Only the calls of this person's keys. ${ANY_OF}`,
  ),
  tool: filter('tool', valueText('tool')).describe(
    `Only the calls of this coding agent, as it named itself. ${ANY_OF}`,
  ),
  tool_version: filter('tool_version', valueText('tool_version')).describe(
    `Only the calls of this version of it: its first number. ${ANY_OF}`,
  ),
  agent_kind: filter('agent_kind', agentKindParameter).describe(
    `Only the calls of main agents, or those of subagents. ${ANY_OF}`,
  ),
  repository: filter('repository', valueText('repository')).describe(
    `Only the calls that were made in this repository. ${ANY_OF}`,
  ),
  session: filter('session', text('session', AGENT_TEXT_MAX).unwrap()).describe(
    `Only the calls of this session, as the tool named it; two keys may have one of the same name. ${ANY_OF}`,
  ),
  dim_key: dimKeyParameter.describe('Only calls that carry this dimension.'),
  dim_value: filter('dim_value', dimValueParameter.unwrap()).describe(
    `Only calls whose dimension dim_key has this value. With dim_key only. ${ANY_OF}`,
  ),
  without_dim: dimKeyParameter.describe(
    'Only calls that do not carry this dimension: the untagged ones.',
  ),
  status: filter('status', z.enum(CALL_STATUSES, oneOf('status', CALL_STATUSES))).describe(
    `Only calls that ended so. ${STATUS_ABOUT}. ${ANY_OF}`,
  ),
  source: filter('source', z.enum(COST_SOURCES, oneOf('source', COST_SOURCES))).describe(
    `Only calls whose cost came from there. ${explain(SOURCE_MEANINGS)}. ${ANY_OF}`,
  ),
  usage: filter('usage', z.enum(KNOWLEDGE, oneOf('usage', KNOWLEDGE))).describe(
    `Only calls whose usage is known so. ${explain(KNOWLEDGE_MEANINGS)}. ${ANY_OF}`,
  ),
  http_status: filter(
    'http_status',
    z.string().regex(HTTP_STATUS, 'http_status must be a status, 429, or a class of them, 4xx'),
  ).describe(`Only calls that were answered so: 429, or 4xx for all that begin so. ${ANY_OF}`),
  error_code: filter(
    'error_code',
    z.string().regex(ERROR_CODE, 'error_code must be a code: 1 to 64 letters, digits and _ . : -'),
  ).describe(`Only calls that failed for this reason: error_code or provider_error. ${ANY_OF}`),
  min_duration_ms: duration('min_duration_ms').describe('Only calls that took so long or longer.'),
  max_duration_ms: duration('max_duration_ms').describe('Only calls that took no longer.'),
  streamed: z
    .enum(['true', 'false'], oneOf('streamed', ['true', 'false']))
    .transform((value) => value === 'true')
    .optional()
    .describe('true: only calls whose answer was a stream; false: only the others.'),
  id: z
    .string()
    .regex(CALL_ID, CALL_ID_FAULT)
    .refine((id) => !WHOLE_CREDENTIAL.test(id), CALL_ID_FAULT)
    .optional()
    .describe('Only the call, or the calls, of this id: of a request, a generation or a key.'),
})

/** Newest, most expensive or longest first. */
export const REQUEST_SORTS = ['time', 'cost', 'duration'] as const
export const SORT_DIRECTIONS = ['desc', 'asc'] as const

export const requestParametersSchema = z.strictObject({
  ...requestFilterSchema.shape,
  sort: z
    .enum(REQUEST_SORTS, oneOf('sort', REQUEST_SORTS))
    .optional()
    .describe(
      'By when a call started (time, as if left out), by cost_usd, where one that is not known is last, or by duration_ms. More calls than can be sorted are refused; the error says which from would fit.',
    ),
  direction: z
    .enum(SORT_DIRECTIONS, oneOf('direction', SORT_DIRECTIONS))
    .optional()
    .describe('desc, as if left out: newest, most expensive or longest first; asc: last.'),
  limit: integer('limit', { max: REQUESTS_LIMIT_MAX, preset: REQUESTS_LIMIT_DEFAULT }).describe(
    'The most rows of a page. It may differ from page to page.',
  ),
  cursor: z
    .string()
    .regex(
      /^(?:[A-Za-z0-9_-]{38}|[A-Za-z0-9_-]{48})$/,
      'cursor must be the next_cursor of a page, as it was given',
    )
    .optional()
    .describe('The next_cursor of a page; all else but limit must be as it was for that page.'),
})
