// weir requests: the request log, of this machine or of a remote Weir; --follow goes on with it.

import { setTimeout as pause } from 'node:timers/promises'
import type { RequestPage, RequestRow, RequestSummary } from '../../client/weir-client.js'
import { CALL_FILE_KINDS, toCallFilePath } from '../api/exports/export-contract.ts'
import type { CallFileKind } from '../api/exports/export-contract.ts'
import {
  REQUEST_SORTS,
  REQUESTS_LIMIT_MAX,
  SORT_DIRECTIONS,
} from '../api/requests/request-filter-contract.ts'
import { CALL_WORDS } from '../api/requests/call-words.ts'
import { apiCommand } from './api.ts'
import type { Api, Query } from './api.ts'
import { flag, option, REPEATED, textOption, UsageError } from './command.ts'
import type { CommandInput, Commands } from './command.ts'
import { readNamesIfAllowed, requireKey } from './keys/read-keys.ts'
import { readQuery, toOptions } from './query-options.ts'
import { formatRequests, formatSummary } from './requests-view.ts'
import type { KeyNames } from './requests-view.ts'
import { checkExportFile, printExport } from './usage/export-file.ts'

const LIMIT_DEFAULT = 20
/** A token may ask sixty times a minute, and others may use it, too. */
const POLL_MS = 2000
/** Calls that end later than they started appear below newer ones: so far back is looked again. */
const LOOK_BACK_ROWS = 1000

/** The parameters of GET /v1/requests, by name. */
const PARAMETERS = {
  from: option('WHEN', 'only calls that ended then or later (UTC)'),
  to: option('WHEN', 'only calls that ended before then'),
  api_key: option('ID', 'only the calls of this key', REPEATED),
  team: option('ID', 'only the calls booked to this team', REPEATED),
  person: option('ID', "only the calls of this person's keys", REPEATED),
  tool: option('T', 'only the calls of this coding agent', REPEATED),
  tool_version: option('N', 'only the calls of this version of it: its first number', REPEATED),
  agent_kind: option('K', 'main or subagent', REPEATED),
  repository: option('R', 'only the calls made in this repository', REPEATED),
  session: option('S', 'only the calls of this session', REPEATED),
  provider: option('P', 'only calls to this provider', REPEATED),
  model: option('PATTERN', 'only calls of this model, * for any characters', REPEATED),
  dim_key: option('KEY', 'only calls with this dimension'),
  dim_value: option('VALUE', 'only calls whose --dim-key has this value', REPEATED),
  without_dim: option('KEY', 'only calls that do not have this dimension'),
  status: option(
    'S',
    Object.entries(CALL_WORDS)
      .map(([status, { label }]) => (label === status ? status : `${status} (${label})`))
      .join(', '),
    REPEATED,
  ),
  source: option('S', 'where the cost came from: gateway, price-book, unpriced, …', REPEATED),
  usage: option('U', 'reported, partial, estimated or none', REPEATED),
  http_status: option('N', 'only calls answered so: 429, or 4xx for all that begin so', REPEATED),
  error_code: option('CODE', "only calls that failed so: Weir's code or the provider's", REPEATED),
  min_duration_ms: option('MS', 'only calls that took so long or longer'),
  max_duration_ms: option('MS', 'only calls that took no longer'),
  streamed: option('true|false', 'only calls whose answer was streamed, or only the others'),
  id: option('ID', 'only the calls of this id: of a request, a generation or a key'),
} as const

const NAMES = Object.keys(PARAMETERS)
const PATH = '/v1/requests'

export const commands: Commands = {
  requests: apiCommand({
    scope: 'read:requests',
    usage: 'weir requests [--follow] [options]',
    options: {
      ...toOptions(PARAMETERS),
      limit: option('N', `how many (default: ${LIMIT_DEFAULT}, at most ${REQUESTS_LIMIT_MAX})`),
      sort: option(
        REQUEST_SORTS.join('|'),
        'newest (the default), most expensive or longest first',
      ),
      direction: option(
        SORT_DIRECTIONS.join('|'),
        'asc turns the order around: oldest, cheapest or shortest first',
      ),
      export: option(
        CALL_FILE_KINDS.join('|'),
        'all calls that match, as a file: comma-separated values, or a line of JSON each',
      ),
      output: option('FILE', 'with --export: the file to write (default: standard output)'),
      force: flag('overwrite an existing file'),
      follow: flag('go on with new calls as they are recorded, until Ctrl-C'),
    },
    run,
  }),
}

async function run(input: CommandInput, api: Api): Promise<number> {
  const filter = readQuery(input, NAMES)
  const order = readQuery(input, ['sort', 'direction'])
  const isFollowing = input.values['follow'] === true
  const fileKind = readFileKind(input)
  if (isFollowing) refuseTogether(input, 'follow', ['export', 'to', 'sort', 'direction'])
  if (fileKind === null) requireExport(input)
  else refuseTogether(input, 'export', ['limit', 'sort', 'direction'])
  const limit = textOption(input, 'limit') ?? String(LIMIT_DEFAULT)
  const file = textOption(input, 'output')
  if (file !== undefined) checkExportFile(file, input.values['force'] === true)
  for (const id of [filter['api_key'] ?? []].flat()) await requireKey(api, String(id))
  if (fileKind !== null) {
    await printExport(input, await api.readFile(toCallFilePath(fileKind), filter))
  } else if (isFollowing) await follow(input, api, { filter, limit })
  else await list(input, api, { filter, order, limit })
  return 0
}

function refuseTogether(input: CommandInput, option: string, others: readonly string[]): void {
  for (const other of others) {
    if (textOption(input, other) === undefined) continue
    throw new UsageError(`--${option} and --${other} exclude each other.`, `Leave --${other} out.`)
  }
}

function requireExport({ values }: CommandInput): void {
  for (const option of ['output', 'force']) {
    if (values[option] === undefined) continue
    throw new UsageError(`--${option} goes with --export.`, 'Add --export csv or --export jsonl.')
  }
}

/** Null where no file is wanted. */
function readFileKind(input: CommandInput): CallFileKind | null {
  const given = textOption(input, 'export')
  const kind = CALL_FILE_KINDS.find((each) => each === given) ?? null
  if (given === undefined || kind !== null) return kind
  throw new UsageError(
    `--export must be one of ${CALL_FILE_KINDS.join(', ')}.`,
    'csv is for spreadsheets; jsonl has a line of JSON for each call.',
  )
}

interface Listing {
  readonly filter: Query
  readonly order?: Query
  /** Of the calls that are there already. */
  readonly limit: string
}

/** The calls, then how many there are in all and what they cost. JSON has the calls alone. */
async function list(input: CommandInput, api: Api, listing: Listing): Promise<void> {
  const rows = await readRows(api, listing)
  const [hasTeams, readNames] = [rows.some(isOfTeam), () => readNamesIfAllowed(api)]
  await print(input, rows, { isFirst: true, hasTeams, readNames })
  if (input.isJson || rows.length === 0) return
  const summary = await api.get<RequestSummary>(`${PATH}/summary`, listing.filter)
  input.out(formatSummary(summary, rows.length))
}

/** Pages may be short, even empty, and still have a next one. The first checks the limit. */
async function readRows(
  api: Api,
  { filter, order, limit }: Listing,
): Promise<readonly RequestRow[]> {
  const rows: RequestRow[] = []
  let left: string | number = limit
  let cursor: string | null = null
  do {
    const query: Query = { ...filter, ...order, limit: left, cursor: cursor ?? undefined }
    const page: RequestPage = await api.get(PATH, query)
    rows.push(...page.rows)
    cursor = page.next_cursor
    left = Number(limit) - rows.length
  } while (cursor !== null && left > 0)
  return rows
}

/** Until a signal ends it, or nobody reads on. */
async function follow(input: CommandInput, api: Api, { filter, limit }: Listing): Promise<void> {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  process.stdout.once('error', end)
  process.stdout.once('close', end)
  // Refuses a limit that is none; the looks have their own.
  await api.get(PATH, { ...filter, limit })
  const look = (): Promise<RequestPage> => api.get(PATH, { ...filter, limit: LOOK_BACK_ROWS })
  const before = (await look()).rows
  const readNames = (): Promise<KeyNames> => readNamesIfAllowed(api)
  // Decided once: what comes later is below these columns.
  const hasTeams = before.some(isOfTeam)
  const first = before.slice(0, Number(limit)).toReversed()
  await print(input, first, { isFirst: true, hasTeams, readNames })
  let known = new Set(before.map(({ id }) => id))
  while (!stop.signal.aborted) {
    await pause(POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    if (stop.signal.aborted) break
    const { rows } = await look()
    const fresh = rows.filter(({ id }) => !known.has(id)).toReversed()
    known = new Set(rows.map(({ id }) => id))
    if (fresh.length > 0) await print(input, fresh, { isFirst: false, hasTeams, readNames })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end)
}

const isOfTeam = ({ team }: RequestRow): boolean => team !== null

interface Printing {
  readonly isFirst: boolean
  readonly hasTeams: boolean
  readonly readNames: () => Promise<KeyNames>
}

async function print(
  input: CommandInput,
  rows: readonly RequestRow[],
  { isFirst, hasTeams, readNames }: Printing,
): Promise<void> {
  if (input.isJson) for (const row of rows) input.out(JSON.stringify(row))
  else if (rows.length > 0 || isFirst) {
    const names: KeyNames = rows.some((row) => row.api_key !== null) ? await readNames() : new Map()
    input.out(formatRequests(rows, { hasHeading: isFirst, hasTeams, names }))
  }
}
