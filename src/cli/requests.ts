// weir requests: the request log, of this machine or of a remote Weir; --follow goes on with it.

import { setTimeout as pause } from 'node:timers/promises'
import { REQUESTS_LIMIT_MAX, requestParametersSchema } from '../api/contract.ts'
import type { RequestRow } from '../api/contract.ts'
import { parseParameters } from '../api/parse-parameters.ts'
import { toRequestRow } from '../api/requests/request-row.ts'
import { toRequestQuery } from '../api/requests/to-request-query.ts'
import { readAccessToken, readRemoteUrl } from '../config/config.ts'
import { listOption, refused, textOption, UsageError } from './command.ts'
import type { CommandBody, CommandInput, CommandOption } from './command.ts'
import { formatRequests } from './requests-view.ts'
import { createRemoteClient, toRemoteError } from './usage/remote-api.ts'
import { requireKey } from './keys/key-view.ts'
import { withStores } from './with-stores.ts'

const LIMIT_DEFAULT = 20
const POLL_MS = 1000
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
      about: `how many, newest first (default: ${LIMIT_DEFAULT}, at most ${REQUESTS_LIMIT_MAX})`,
    },
    follow: { type: 'boolean', about: 'go on with new calls as they are recorded, until Ctrl-C' },
    url: {
      type: 'string',
      value: 'URL',
      about: 'ask the API of a remote Weir (default: WEIR_URL), with the token in WEIR_TOKEN',
    },
  },
  run,
}

/** A list is a parameter that is given several times. */
type Parameters = Readonly<Record<string, string | readonly string[]>>
/** A page, newest first; the cursor of the next one. */
interface Page {
  readonly rows: readonly RequestRow[]
  readonly next_cursor: string | null
}
type ReadPage = (parameters: Parameters) => Promise<Page>

async function run(input: CommandInput): Promise<number> {
  const filter = readFilter(input)
  const limit = textOption(input, 'limit') ?? String(LIMIT_DEFAULT)
  // Refuses what is wrong before anything is opened.
  toRequestQuery(parseParameters(toSearch({ ...filter, limit }), requestParametersSchema))
  const isFollowing = input.values['follow'] === true
  if (isFollowing && filter['to'] !== undefined) {
    throw new UsageError('--follow and --to exclude each other.', 'Leave --to out.')
  }
  await withReader(input, filter, async (read) => {
    if (isFollowing) await follow(input, read, { filter, rowsMax: Number(limit) })
    else print(input, await readRows(read, filter, Number(limit)), { isFirst: true })
  })
  return 0
}

function readFilter(input: CommandInput): Parameters {
  const given = NAMES.map((name) => {
    const option = toOption(name)
    return [name, listOption(input, option) ?? textOption(input, option) ?? []] as const
  })
  return Object.fromEntries(given.filter(([, values]) => values.length > 0))
}

function toSearch(parameters: Parameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    ),
  )
}

async function withReader(
  input: CommandInput,
  filter: Parameters,
  use: (read: ReadPage) => Promise<void>,
): Promise<void> {
  const url = textOption(input, 'url') ?? readRemoteUrl()
  if (url === null) {
    return withStores(input, async ({ usage, settings }) => {
      for (const id of [filter['api_key'] ?? []].flat()) await requireKey(settings, id)
      await use(async ({ cursor, ...parameters }) => {
        const search = toSearch(parameters)
        const query = toRequestQuery(parseParameters(search, requestParametersSchema))
        const page = { before: typeof cursor === 'string' ? cursor : null, rowsMax: query.rowsMax }
        const { records, next } = await usage.requests.list(query.filter, page)
        return { rows: records.map(toRequestRow), next_cursor: next }
      })
    })
  }
  const token = readAccessToken()
  if (token === null) {
    throw refused(
      'A remote Weir needs an access token in WEIR_TOKEN.',
      'Create one there: weir tokens create --name me --scope read:requests',
    )
  }
  const client = createRemoteClient({ url, token })
  return use((parameters) =>
    client.requests(parameters).catch((error: unknown) => {
      throw toRemoteError(error, url)
    }),
  )
}

/** Pages may be short, even empty, and still have a next one. */
async function readRows(
  read: ReadPage,
  filter: Parameters,
  rowsMax: number,
): Promise<readonly RequestRow[]> {
  const rows: RequestRow[] = []
  let cursor: string | null = null
  do {
    const limit = String(rowsMax - rows.length)
    const page: Page = await read({ ...filter, limit, ...(cursor !== null && { cursor }) })
    rows.push(...page.rows)
    cursor = page.next_cursor
  } while (cursor !== null && rows.length < rowsMax)
  return rows
}

interface Following {
  readonly filter: Parameters
  /** Of the calls that are there already. */
  readonly rowsMax: number
}

/** Until a signal ends it, or nobody reads on. */
async function follow(
  input: CommandInput,
  read: ReadPage,
  { filter, rowsMax }: Following,
): Promise<void> {
  const stop = new AbortController()
  const end = (): void => stop.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end)
  process.stdout.once('error', end)
  process.stdout.once('close', end)
  const look = { ...filter, limit: String(LOOK_BACK_ROWS) }
  const before = (await read(look)).rows
  print(input, before.slice(0, rowsMax).toReversed(), { isFirst: true })
  let known = new Set(before.map(({ id }) => id))
  while (!stop.signal.aborted) {
    await pause(POLL_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    if (stop.signal.aborted) break
    const { rows } = await read(look)
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
