// weir analyze: any question about usage, of this machine or of a remote Weir.

import type { Analysis } from '../../../client/weir-client.js'
import { ANALYSIS_LIMIT_MAX } from '../../api/analysis/analysis-contract.ts'
import { ANALYSIS_ORDERS, toMeasure } from '../../api/analysis/analysis-orders.ts'
import { isPlainTerminal } from '../../config/config.ts'
import { apiCommand } from '../api.ts'
import type { Api, Query } from '../api.ts'
import { flag, listOption, option, REPEATED, textOption, UsageError } from '../command.ts'
import type { CommandInput, Commands, Shown } from '../command.ts'
import { requireKey } from '../keys/read-keys.ts'
import { readQuery, toOptions } from '../query-options.ts'
import { COLUMNS_DEFAULT } from '../usage/usage-bars.ts'
import { toTableCsv } from '../../api/analysis/analysis-csv.ts'
import { checkExportFile, printExport } from '../usage/export-file.ts'
import { formatAnalysis, listMore } from './analysis-table.ts'

/** The parameters of GET /v1/analysis, by name. */
const PARAMETERS = {
  from: option('WHEN', 'the first hour, a date or YYYY-MM-DDThh:00Z (default: this month)'),
  to: option('WHEN', 'the end, exclusive: a date is its midnight (default: now)'),
  interval: option('STEP', 'also by hour, day, week or month'),
  group_by: option(
    'FIELD',
    'provider, creator, model, api_key, status, source, team, person, tool, tool_version, agent_kind, repository or dim:KEY; up to two',
    REPEATED,
  ),
  filter: option(
    'FILTER',
    "FIELD=VALUE or 'FIELD!=VALUE'; nothing behind the sign: calls without a value",
    REPEATED,
  ),
  order_by: option('FIGURE', `${ANALYSIS_ORDERS.join(', ')} (default: cost)`),
  limit: option('N', `at most that many groups, up to ${ANALYSIS_LIMIT_MAX} (default: 100)`),
  offset: option('N', 'the groups after the N largest, for the next page'),
  search: option('TEXT', 'only groups with this in their name'),
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
      csv: flag('print the table as CSV'),
      all: flag('with --csv: every group'),
      steps: flag('with --csv: every group by step of --interval, with every figure'),
      output: option('FILE', 'with --all or --steps: the file to write'),
      force: flag('overwrite an existing file'),
    },
    scope: 'read:usage (and read:keys for api_key)',
    hints: { invalid_parameter: 'weir analyze --help shows the options.' },
    run,
  }),
}

async function run(input: CommandInput, api: Api): Promise<Shown | number> {
  const { isCsv, isWhole } = readFileChoice(input)
  const query = toQuery(input)
  for (const id of findKeys(query)) await requireKey(api, id)
  if (isWhole) return printWhole(input, api, query)
  const analysis = await api.get<Analysis>('/v1/analysis', query)
  const order = ANALYSIS_ORDERS.find((each) => each === query['order_by']) ?? 'cost'
  const measure = toMeasure(order)
  // What prints it ends the last line.
  if (isCsv) {
    const csv = toTableCsv(analysis, measure, listMore(analysis))
    return { json: null, text: csv.replace(/\r?\n$/, '') }
  }
  const { columns = COLUMNS_DEFAULT } = input
  const terminal = { columns, isPlain: isPlainTerminal() }
  const filters = listOption(input, 'filter') ?? []
  return {
    json: analysis,
    text: formatAnalysis(analysis, { terminal, filters, measure, url: api.url }),
  }
}

interface FileChoice {
  readonly isCsv: boolean
  /** Every group, which is more than an answer has. */
  readonly isWhole: boolean
}

function readFileChoice({ values, isJson }: CommandInput): FileChoice {
  const isCsv = values['csv'] === true
  const isWhole = values['all'] === true || values['steps'] === true
  if (isCsv && isJson) {
    throw new UsageError('--json and --csv exclude each other.', 'Give only one of them.')
  }
  for (const name of ['all', 'steps']) {
    if (values[name] !== true || isCsv) continue
    throw new UsageError(`--${name} goes with --csv.`, 'Add --csv.')
  }
  for (const name of ['output', 'force']) {
    if (values[name] === undefined || isWhole) continue
    throw new UsageError(`--${name} goes with --csv --all or --steps.`, 'Add one of them.')
  }
  for (const name of ['limit', 'offset']) {
    if (values[name] === undefined || !isWhole) continue
    throw new UsageError(`--${name} does not go with all groups.`, `Leave --${name} out.`)
  }
  return { isCsv, isWhole }
}

async function printWhole(input: CommandInput, api: Api, query: Query): Promise<number> {
  const file = textOption(input, 'output')
  if (file !== undefined) checkExportFile(file, input.values['force'] === true)
  const { interval, ...table } = query
  const steps = input.values['steps'] === true ? { interval, steps: 'true' } : {}
  await printExport(input, await api.readFile('/v1/exports/analysis.csv', { ...table, ...steps }))
  return 0
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
