// weir requests: the request log, of this machine or of a remote Weir; --follow goes on with it.

import { setTimeout as pause } from 'node:timers/promises'
import {
  CALL_FILE_KINDS,
  REQUEST_SORTS,
  REQUESTS_LIMIT_MAX,
  SORT_DIRECTIONS,
} from '../api/contract.ts'
import type { CallFileKind, RequestRow } from '../api/contract.ts'
import { formatBytes } from '../backup/disk-space.ts'
import { listOption, printJson, textOption, UsageError } from './command.ts'
import type { CommandBody, CommandInput, CommandOption } from './command.ts'
import { URL_OPTION } from './remote-place.ts'
import { parseRequestParameters, withRequests } from './request-source.ts'
import type { RequestPage, RequestParameters, RequestSource } from './request-source.ts'
import { formatRequests, formatSummary } from './requests-view.ts'
import { checkExportFile, writeExportFile } from './usage/export-usage.ts'

const LIMIT_DEFAULT = 20
/** A token may ask sixty times a minute, and others may use it, too. */
const POLL_MS = 2000
/** Calls that end later than they started appear below newer ones: so far back is looked again. */
const LOOK_BACK_ROWS = 1000

/** The parameters of GET /v1/requests, by name. */
const PARAMETERS = {
  from: { value: 'WHEN', about: 'only calls that ended then or later (UTC)' },
  to: { value: 'WHEN', about: 'only calls that ended before then' },
  api_key: { value: 'ID', about: 'only the calls of this key', multiple: true },
  provider: { value: 'P', about: 'only calls to this provider', multiple: true },
  model: {
    value: 'PATTERN',
    about: 'only calls of this model, * for any characters',
    multiple: true,
  },
  dim_key: { value: 'KEY', about: 'only calls with this dimension' },
  dim_value: { value: 'VALUE', about: 'only calls whose --dim-key has this value', multiple: true },
  status: {
    value: 'S',
    about: 'delivered, refused, aborted, cut, interrupted or denied',
    multiple: true,
  },
  source: {
    value: 'S',
    about: 'where the cost came from: gateway, price-book, unpriced, …',
    multiple: true,
  },
  usage: { value: 'U', about: 'reported, partial, estimated or none', multiple: true },
} as const

const NAMES = Object.keys(PARAMETERS) as readonly (keyof typeof PARAMETERS)[]
const toOption = (name: string): string => name.replace('_', '-')

const FILTER_OPTIONS: Readonly<Record<string, CommandOption>> = Object.fromEntries(
  NAMES.map((name) => [toOption(name), { type: 'string', ...PARAMETERS[name] }]),
)

export const requestsCommand: CommandBody = {
  usage: 'weir requests [--follow] [options]',
  options: {
    ...FILTER_OPTIONS,
    limit: {
      type: 'string',
      value: 'N',
      about: `how many (default: ${LIMIT_DEFAULT}, at most ${REQUESTS_LIMIT_MAX})`,
    },
    sort: {
      type: 'string',
      value: REQUEST_SORTS.join('|'),
      about: 'newest (the default), most expensive or longest first',
    },
    direction: {
      type: 'string',
      value: SORT_DIRECTIONS.join('|'),
      about: 'asc turns the order around: oldest, cheapest or shortest first',
    },
    export: {
      type: 'string',
      value: CALL_FILE_KINDS.join('|'),
      about: 'all calls that match, as a file: comma-separated values, or a line of JSON each',
    },
    output: {
      type: 'string',
      value: 'FILE',
      about: 'with --export: the file to write (default: standard output)',
    },
    force: { type: 'boolean', about: 'overwrite an existing file' },
    follow: { type: 'boolean', about: 'go on with new calls as they are recorded, until Ctrl-C' },
    ...URL_OPTION,
  },
  run,
}

async function run(input: CommandInput): Promise<number> {
  const filter = readFilter(input)
  const order = readOptions(input, ['sort', 'direction'])
  const limit = textOption(input, 'limit') ?? String(LIMIT_DEFAULT)
  // Refuses what is wrong before anything is opened.
  parseRequestParameters({ ...filter, ...order, limit })
  const isFollowing = input.values['follow'] === true
  const fileKind = readFileKind(input)
  if (isFollowing) refuseTogether(input, 'follow', ['export', 'to', 'sort', 'direction'])
  if (fileKind === null) requireExport(input)
  else refuseTogether(input, 'export', ['limit', 'sort', 'direction'])
  const file = textOption(input, 'output')
  if (file !== undefined) checkExportFile(file, input.values['force'] === true)
  await withRequests(input, filter, async (source) => {
    if (fileKind !== null) await writeFile(input, await source.readFile(fileKind, filter))
    else if (isFollowing) await follow(input, source, { filter, rowsMax: Number(limit) })
    else await list(input, source, { filter, order, rowsMax: Number(limit) })
  })
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

async function writeFile(input: CommandInput, chunks: AsyncIterable<string>): Promise<void> {
  const output = textOption(input, 'output')
  if (output === undefined) {
    // `out` adds the line break that ends each piece.
    for await (const chunk of chunks) input.out(chunk.slice(0, -1))
    return
  }
  const { file, bytes } = await writeExportFile(output, chunks)
  if (input.isJson) printJson(input, { file, bytes })
  else input.out(`${file}: ${formatBytes(bytes)}.`)
}

function readFilter(input: CommandInput): RequestParameters {
  return readOptions(input, NAMES)
}

function readOptions(input: CommandInput, names: readonly string[]): RequestParameters {
  const given = names.map((name) => {
    const option = toOption(name)
    return [name, listOption(input, option) ?? textOption(input, option) ?? []] as const
  })
  return Object.fromEntries(given.filter(([, values]) => values.length > 0))
}

interface Listing {
  readonly filter: RequestParameters
  readonly order: RequestParameters
  readonly rowsMax: number
}

/** The calls, then how many there are in all and what they cost. JSON has the calls alone. */
async function list(input: CommandInput, source: RequestSource, listing: Listing): Promise<void> {
  const rows = await readRows(source, listing)
  print(input, rows, { isFirst: true })
  if (input.isJson || rows.length === 0) return
  input.out(formatSummary(await source.summarize(listing.filter), rows.length))
}

/** Pages may be short, even empty, and still have a next one. */
async function readRows(
  source: RequestSource,
  { filter, order, rowsMax }: Listing,
): Promise<readonly RequestRow[]> {
  const rows: RequestRow[] = []
  let cursor: string | null = null
  do {
    const limit = String(rowsMax - rows.length)
    const place: RequestParameters = cursor === null ? {} : { cursor }
    const page: RequestPage = await source.readPage({ ...filter, ...order, limit, ...place })
    rows.push(...page.rows)
    cursor = page.next_cursor
  } while (cursor !== null && rows.length < rowsMax)
  return rows
}

interface Following {
  readonly filter: RequestParameters
  /** Of the calls that are there already. */
  readonly rowsMax: number
}

/** Until a signal ends it, or nobody reads on. */
async function follow(
  input: CommandInput,
  source: RequestSource,
  { filter, rowsMax }: Following,
): Promise<void> {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  process.stdout.once('error', end)
  process.stdout.once('close', end)
  const look = { ...filter, limit: String(LOOK_BACK_ROWS) }
  const before = (await source.readPage(look)).rows
  print(input, before.slice(0, rowsMax).toReversed(), { isFirst: true })
  let known = new Set(before.map(({ id }) => id))
  while (!stop.signal.aborted) {
    await pause(POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    if (stop.signal.aborted) break
    const { rows } = await source.readPage(look)
    const fresh = rows.filter(({ id }) => !known.has(id)).toReversed()
    known = new Set(rows.map(({ id }) => id))
    if (fresh.length > 0) print(input, fresh, { isFirst: false })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.removeListener(signal, end)
}

function print(
  input: CommandInput,
  rows: readonly RequestRow[],
  { isFirst }: { readonly isFirst: boolean },
): void {
  if (input.isJson) for (const row of rows) input.out(JSON.stringify(row))
  else if (rows.length > 0 || isFirst) input.out(formatRequests(rows, isFirst))
}
