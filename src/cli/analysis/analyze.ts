// weir analyze: any question about usage, of this machine or of a remote Weir.

import type { Analysis } from '../../../client/weir-client.js'
import { ANALYSIS_LIMIT_MAX } from '../../api/analysis/analysis-contract.ts'
import { ANALYSIS_ORDERS } from '../../api/analysis/analysis-orders.ts'
import { isPlainTerminal } from '../../config/config.ts'
import { apiCommand } from '../api.ts'
import type { Api, Query } from '../api.ts'
import { flag, listOption, option, REPEATED, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { requireKey } from '../keys/read-keys.ts'
import { readQuery, toOptions } from '../query-options.ts'
import { COLUMNS_DEFAULT } from '../usage/usage-bars.ts'
import { toAnalysisCsv } from '../../api/analysis/analysis-csv.ts'
import { formatAnalysis } from './analysis-table.ts'

/** The parameters of GET /v1/analysis, by name. */
const PARAMETERS = {
  from: option('WHEN', 'the first hour, a date or YYYY-MM-DDThh:00Z (default: this month)'),
  to: option('WHEN', 'the end, exclusive: a date is its midnight (default: now)'),
  interval: option('STEP', 'also by hour, day, week or month'),
  group_by: option(
    'FIELD',
    'provider, creator, model, api_key, status, source or dim:KEY; up to two',
    REPEATED,
  ),
  filter: option(
    'FILTER',
    "FIELD=VALUE or 'FIELD!=VALUE'; nothing behind the sign: calls without a value",
    REPEATED,
  ),
  order_by: option('FIGURE', `${ANALYSIS_ORDERS.join(', ')} (default: cost)`),
  limit: option('N', `at most that many groups, up to ${ANALYSIS_LIMIT_MAX} (default: 100)`),
  compare: option(
    'previous',
    'with the months before a month, the same days before the running one; else as much time right before',
  ),
} as const

export const commands: Commands = {
  analyze: apiCommand({
    usage: 'weir analyze [--from WHEN] [--to WHEN] [--group-by FIELD] [--filter FILTER] [options]',
    options: {
      ...toOptions(PARAMETERS),
      latency: flag('with times: first byte, total, and of Weir itself'),
      csv: flag('print CSV: a line for each group, or group and step'),
    },
    scope: 'read:usage (and read:keys for api_key)',
    hints: { invalid_parameter: 'weir analyze --help shows the options.' },
    run,
  }),
}

async function run(input: CommandInput, api: Api): Promise<Shown> {
  const isCsv = input.values['csv'] === true
  if (isCsv && input.isJson) {
    throw new UsageError('--json and --csv exclude each other.', 'Give only one of them.')
  }
  const query = toQuery(input)
  for (const id of findKeys(query)) await requireKey(api, id)
  const analysis = await api.get<Analysis>('/v1/analysis', query)
  // What prints it ends the last line.
  if (isCsv) return { json: null, text: toAnalysisCsv(analysis).replace(/\r?\n$/, '') }
  const { columns = COLUMNS_DEFAULT } = input
  const terminal = { columns, isPlain: isPlainTerminal() }
  const filters = listOption(input, 'filter') ?? []
  return { json: analysis, text: formatAnalysis(analysis, { terminal, filters, url: api.url }) }
}

function toQuery(input: CommandInput): Query {
  const latency = input.values['latency'] === true ? { latency: 'true' } : {}
  return { ...readQuery(input, Object.keys(PARAMETERS)), ...latency }
}

/** Those that a filter names; what is no id of one is refused in the API's words. */
function findKeys(query: Query): readonly string[] {
  const filters = [query['filter'] ?? []].flat().map(String)
  return filters.flatMap((filter) => /^api_key!?=(svc_k_\w+)$/.exec(filter)?.[1] ?? [])
}
