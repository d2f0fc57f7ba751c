// The lists that agents ask for: single calls, and the dimensions that calls carry. Must stay true:
// the filters, scopes, limits and figures are those of GET /v1/requests and GET /v1/analysis.

import { z } from 'zod'
import type { Caller } from '../../core/caller.ts'
import {
  ANALYSIS_LIMIT_MAX,
  analysisParametersSchema,
  analysisSchema,
} from '../analysis/analysis-contract.ts'
import { toKeptAnalysis } from '../analysis/analysis-routes.ts'
import { toAnalysisQuery } from '../analysis/to-analysis-query.ts'
import type { ApiServices } from '../api-options.ts'
import { readFactNames } from '../known-names.ts'
import { dimKeyParameter } from '../parameter-schemas.ts'
import { parseParameters } from '../parse-parameters.ts'
import { CALL_WORDS, toReason } from '../requests/call-words.ts'
import { requestPageSchema } from '../requests/request-contract.ts'
import type { RequestPageAnswer } from '../requests/request-contract.ts'
import type { requestParametersSchema } from '../requests/request-filter-contract.ts'
import { toRequestQuery } from '../requests/to-request-query.ts'
import { readDimKeys } from '../usage/read-overview.ts'
import { toPeriod } from '../usage/windows.ts'
import type { ToolAnswer } from './mcp-silent-nodes.ts'

export async function listCalls(
  given: z.output<typeof requestParametersSchema>,
  { services, token }: { readonly services: ApiServices; readonly token: Caller },
): Promise<ToolAnswer> {
  const query = toRequestQuery(given)
  const names = await readFactNames(services, token)
  const text = await services.questions.writeRequestPage(query, names, services.clock.now())
  const page = requestPageSchema.parse(JSON.parse(text))
  return { structured: page, text: formatCalls(page) }
}

function formatCalls({ rows, next_cursor: cursor }: RequestPageAnswer): string {
  const lines = rows.map((row) => {
    const { id, model, requested_model: requested, dims, cost_usd: cost } = row
    const reason = toReason(row)
    const facts = [
      `ended ${row.ended_at} after ${row.duration_ms} ms`,
      `${CALL_WORDS[row.status].label}${reason === null ? '' : ` (${reason})`}`,
      `key ${row.api_key ?? 'not known'}`,
      ...(row.team === null ? [] : [`team ${JSON.stringify(row.team)}`]),
      ...(row.person === null ? [] : [`of ${row.person}`]),
      `${row.provider}, model ${JSON.stringify(model ?? requested ?? 'not known')}`,
      ...Object.entries(dims).map(([key, value]) => `${key}=${JSON.stringify(value)}`),
      `${row.input_tokens ?? 'unknown'} tokens in, ${row.output_tokens ?? 'unknown'} out`,
      ...(row.status === 'denied' ? [] : [cost === null ? 'cost not known' : `${cost} USD`]),
    ]
    return `- ${id}: ${facts.join('; ')}`
  })
  return [
    ...(rows.length === 0 ? ['No call on this page matches.'] : lines),
    ...(cursor === null ? [] : [`There are more: ask again with cursor ${cursor}.`]),
  ].join('\n')
}

export const dimensionParametersSchema = z.strictObject({
  dim_key: dimKeyParameter.describe(
    'A dimension, to list its values. Left out: the names of the dimensions that calls carry.',
  ),
})

export const dimensionsSchema = z.object({
  from: z.string().describe('The first day of last month: calls since then are looked at.'),
  dim_keys: z
    .array(z.string())
    .describe('Dimensions that these calls carry, most used first; of dim_key alone, itself.'),
  values: z
    .array(z.object({ value: z.string(), requests: z.int(), cost_usd: z.number() }))
    .describe('Of dim_key: what calls have for it, most calls first. Empty without it.'),
  other_values: z.int().describe('How many more values there are.'),
  untagged_requests: z.int().describe('Calls that do not have dim_key; 0 without it.'),
})

export async function listDimensions(
  { dim_key: dimKey }: z.output<typeof dimensionParametersSchema>,
  services: ApiServices,
): Promise<ToolAnswer> {
  const nowMs = services.clock.now()
  const window = { window: 'monthly_series', month: null, months: 2 } as const
  const from = `${toPeriod(window, nowMs).from}-01`
  const dimensions =
    dimKey === undefined
      ? { ...NO_VALUES, from, dim_keys: [...(await readDimKeys(services.usage, nowMs))] }
      : { from, dim_keys: [dimKey], ...(await readValues(dimKey, from, services)) }
  return { structured: dimensions, text: formatDimensions(dimensions) }
}

type Dimensions = z.infer<typeof dimensionsSchema>

const NO_VALUES = { values: [], other_values: 0, untagged_requests: 0 }

async function readValues(dimKey: string, from: string, services: ApiServices) {
  const asked = new URLSearchParams({
    from,
    group_by: `dim:${dimKey}`,
    order_by: 'requests',
    limit: String(ANALYSIS_LIMIT_MAX),
  })
  const given = parseParameters(asked, analysisParametersSchema)
  const kept = toKeptAnalysis(services, toAnalysisQuery(given, services.clock.now()))
  const text = (await services.usageSnapshots.readKept(kept)).body.toString()
  const { rows, other_groups: others } = analysisSchema.parse(JSON.parse(text))
  const values = rows.flatMap(({ group: [member], requests, cost_usd }) =>
    member?.kind === 'value' ? [{ value: member.value ?? '', requests, cost_usd }] : [],
  )
  const untagged = rows.find(({ group: [member] }) => member?.kind === 'none')
  return { values, other_values: others, untagged_requests: untagged?.requests ?? 0 }
}

function formatDimensions({ from, dim_keys: keys, ...found }: Dimensions): string {
  const { values, other_values: others, untagged_requests: untagged } = found
  const [key = ''] = keys
  if (values.length === 0 && untagged === 0) {
    return `Dimensions of calls since ${from}: ${keys.join(', ') || 'none'}.`
  }
  const rest = [
    ...(others === 0 ? [] : [`${others} more values`]),
    ...(untagged === 0 ? [] : [`${untagged} calls without ${key}`]),
  ]
  return [
    `Values of ${key} since ${from}:`,
    ...values.map(({ value, requests, cost_usd: cost }) => {
      return `- ${JSON.stringify(value)}: ${requests} requests, ${cost} USD`
    }),
    ...(rest.length === 0 ? [] : [`Beside them: ${rest.join(', ')}.`]),
  ].join('\n')
}
