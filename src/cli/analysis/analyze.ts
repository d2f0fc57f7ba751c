// weir analyze: any question about usage, of this machine or of a remote Weir.

import {
  analysisParametersSchema,
  ANALYSIS_LIMIT_MAX,
  ANALYSIS_ORDERS,
} from '../../api/contract.ts'
import type { Analysis } from '../../../client/weir-client.js'
import { readAnalysis } from '../../api/analysis/read-analysis.ts'
import { toAnalysisQuery } from '../../api/analysis/to-analysis-query.ts'
import type { AnalysisQuery } from '../../api/analysis/to-analysis-query.ts'
import { parseParameters } from '../../api/parse-parameters.ts'
import { isPlainTerminal } from '../../config/config.ts'
import { WeirError } from '../../core/weir-error.ts'
import { listOption, printJson, textOption, UsageError } from '../command.ts'
import type { CommandBody, CommandInput, CommandOption } from '../command.ts'
import { requireKey } from '../keys/key-view.ts'
import { noteSilentNodes } from '../nodes/silent-note.ts'
import { findRemote, URL_OPTION } from '../remote-place.ts'
import type { RemotePlace } from '../remote-place.ts'
import { createRemoteUsage } from '../usage/remote-usage.ts'
import { COLUMNS_DEFAULT } from '../usage/usage-bars.ts'
import { withStores } from '../with-stores.ts'
import { toAnalysisCsv } from './analysis-csv.ts'
import { formatAnalysis } from './analysis-table.ts'

/** The parameters of GET /v1/analysis, by name. */
const PARAMETERS = {
  from: {
    value: 'WHEN',
    about: 'the first hour, a date or YYYY-MM-DDThh:00Z (default: this month)',
  },
  to: { value: 'WHEN', about: 'the end, exclusive: a date is its midnight (default: now)' },
  interval: { value: 'STEP', about: 'also by hour, day, week or month' },
  group_by: {
    value: 'FIELD',
    about: 'provider, creator, model, api_key, status, source or dim:KEY; up to two',
    multiple: true,
  },
  filter: {
    value: 'FILTER',
    about: "FIELD=VALUE or 'FIELD!=VALUE'; nothing behind the sign: calls without a value",
    multiple: true,
  },
  order_by: { value: 'FIGURE', about: `${ANALYSIS_ORDERS.join(', ')} (default: cost)` },
  limit: {
    value: 'N',
    about: `at most that many groups, up to ${ANALYSIS_LIMIT_MAX} (default: 100)`,
  },
  compare: { value: 'previous', about: 'with the span before, as long as what has passed of it' },
} as const

const NAMES = Object.keys(PARAMETERS) as readonly (keyof typeof PARAMETERS)[]
const toOption = (name: string): string => name.replace('_', '-')

const QUESTION_HINT =
  'weir analyze --help shows the options; a parameter such as group_by is --group-by there.'

export const analyzeCommand: CommandBody = {
  usage: 'weir analyze [--from WHEN] [--to WHEN] [--group-by FIELD] [--filter FILTER] [options]',
  options: {
    ...Object.fromEntries(
      NAMES.map((name): [string, CommandOption] => [
        toOption(name),
        { type: 'string', ...PARAMETERS[name] },
      ]),
    ),
    latency: { type: 'boolean', about: 'with times: first byte, total, and of Weir itself' },
    csv: { type: 'boolean', about: 'print CSV: a line for each group, or group and step' },
    ...URL_OPTION,
  },
  run,
}

async function run(input: CommandInput): Promise<number> {
  const isCsv = input.values['csv'] === true
  if (isCsv && input.isJson) {
    throw new UsageError('--json and --csv exclude each other.', 'Give only one of them.')
  }
  const search = toSearch(input)
  // Refuses what is wrong before anything is opened.
  const query = parse(search, input.clock.now())
  const remote = findRemote(input, 'read:usage (and read:keys for api_key)')
  const url = remote?.url ?? null
  const analysis =
    remote === null ? await readHere(input, query) : await readThere(input, search, remote)
  if (input.isJson) printJson(input, analysis)
  // `out` ends the last line.
  else if (isCsv) input.out(toAnalysisCsv(analysis).replace(/\r?\n$/, ''))
  else {
    const { columns = COLUMNS_DEFAULT } = input
    const terminal = { columns, isPlain: isPlainTerminal() }
    input.out(formatAnalysis(analysis, { terminal, filters: search.getAll('filter'), url }))
  }
  return 0
}

function toSearch(input: CommandInput): URLSearchParams {
  const pairs = NAMES.flatMap((name) => {
    const one = textOption(input, toOption(name))
    const values = one === undefined ? (listOption(input, toOption(name)) ?? []) : [one]
    return values.map((value) => [name, value])
  })
  if (input.values['latency'] === true) pairs.push(['latency', 'true'])
  return new URLSearchParams(pairs)
}

function parse(search: URLSearchParams, nowMs: number): AnalysisQuery {
  try {
    return toAnalysisQuery(parseParameters(search, analysisParametersSchema), nowMs)
  } catch (error) {
    throw withHint(error)
  }
}

/** Of what the API's own functions refuse. */
function withHint(error: unknown): unknown {
  if (!(error instanceof WeirError) || error.code !== 'invalid_parameter') return error
  return new WeirError(error.code, error.message, { hint: QUESTION_HINT, cause: error })
}

function readHere(input: CommandInput, query: AnalysisQuery): Promise<Analysis> {
  return withStores(input, async ({ usage, settings }) => {
    const keys = query.filters.filter(({ field }) => field === 'api_key')
    for (const id of keys.flatMap(({ values }) => values)) await requireKey(settings, id)
    const readKeyNames = async () => {
      const names = new Map((await settings.keys.list()).map(({ id, name }) => [id, name]))
      return (id: string): string | null => names.get(id) ?? null
    }
    await noteSilentNodes(input)
    const nowMs = input.clock.now()
    return readAnalysis(query, { usage, readKeyNames }, nowMs).catch((error: unknown) => {
      throw withHint(error)
    })
  })
}

function readThere(
  input: CommandInput,
  search: URLSearchParams,
  remote: RemotePlace,
): Promise<Analysis> {
  const onWait = (seconds: number): void =>
    input.err(`Rate limit of the token reached; retrying in ${seconds} s.`)
  return createRemoteUsage({ ...remote, onWait }).readAnalysis(search)
}
