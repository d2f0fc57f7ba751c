// Where weir requests reads from: this machine's records, or the API of a remote Weir. Both answer
// alike.

import { requestFilterSchema, requestParametersSchema } from '../api/contract.ts'
import type { CallFileKind, RequestRow, RequestSummaryAnswer } from '../api/contract.ts'
import { createCallFile } from '../api/exports/create-call-file.ts'
import { toIso } from '../api/iso-time.ts'
import { parseParameters } from '../api/parse-parameters.ts'
import { formatCursor } from '../api/requests/request-cursor.ts'
import { readRequestPage } from '../api/requests/read-request-page.ts'
import { toRequestRow } from '../api/requests/request-row.ts'
import { toRequestSummary } from '../api/requests/request-summary.ts'
import { toRequestFilter, toRequestQuery } from '../api/requests/to-request-query.ts'
import type { RequestQuery } from '../api/requests/to-request-query.ts'
import type { Clock } from '../core/clock.ts'
import { WeirError } from '../core/weir-error.ts'
import { KEY_CODEC } from '../resources/codecs.ts'
import type { SettingsStore, UsageStore } from '../store/open-store.ts'
import type { RequestFilter } from '../store/usage/request-log.ts'
import type { CommandInput } from './command.ts'
import { requireKey } from './keys/key-view.ts'
import { noteSilentNodes } from './nodes/silent-note.ts'
import { findRemote } from './remote-place.ts'
import type { RemotePlace } from './remote-place.ts'
import { toWholeLines } from './usage/export-usage.ts'
import { createRemoteClient, toRemoteError } from './usage/remote-api.ts'
import { withStores } from './with-stores.ts'

/** Those of the API. A list is a parameter that is given several times. */
export type RequestParameters = Readonly<Record<string, string | readonly string[]>>

export interface RequestPage {
  readonly rows: readonly RequestRow[]
  readonly next_cursor: string | null
}

export interface RequestSource {
  readPage(parameters: RequestParameters): Promise<RequestPage>
  summarize(filter: RequestParameters): Promise<RequestSummaryAnswer>
  /** All calls that match, in pieces that end where a line does. */
  readFile(kind: CallFileKind, filter: RequestParameters): Promise<AsyncIterable<string>>
}

export async function withRequests(
  input: CommandInput,
  filter: RequestParameters,
  use: (source: RequestSource) => Promise<void>,
): Promise<void> {
  const remote = findRemote(input, 'read:requests')
  if (remote !== null) return use(createRemoteSource(remote))
  return withStores(input, async ({ usage, settings }) => {
    for (const id of [filter['api_key'] ?? []].flat()) await requireKey(settings, id)
    await noteSilentNodes(input)
    await use(createLocalSource({ usage, settings, clock: input.clock }))
  })
}

/** Throws what the API would answer. */
export function parseRequestParameters(parameters: RequestParameters): RequestQuery {
  return toRequestQuery(parseParameters(toSearch(parameters), requestParametersSchema))
}

interface Local {
  readonly usage: UsageStore
  readonly settings: SettingsStore
  readonly clock: Clock
}

function createLocalSource({ usage, settings, clock }: Local): RequestSource {
  const { requests } = usage
  const toFilter = (given: RequestParameters): RequestFilter =>
    toRequestFilter(parseParameters(toSearch(given), requestFilterSchema))
  return {
    async readPage(parameters) {
      const query = parseRequestParameters(parameters)
      const { records, next } = await readRequestPage(requests, query, clock.now())
      const next_cursor = next === null ? null : formatCursor(next, query)
      return { rows: records.map(toRequestRow), next_cursor }
    },
    async summarize(filter) {
      const as_of = toIso(clock.now())
      return { as_of, ...toRequestSummary(await requests.summarize(toFilter(filter))) }
    },
    async readFile(kind, filter) {
      const listed = await settings.keys.list()
      const keys = new Map(listed.map((key) => [key.id, KEY_CODEC.toAnswer(key)]))
      return createCallFile(usage, { kind, filter: toFilter(filter) }, { keys })
    },
  }
}

function createRemoteSource(remote: RemotePlace): RequestSource {
  const client = createRemoteClient(remote)
  const translate = (error: unknown): never => {
    throw toRemoteError(error, remote.url)
  }
  return {
    readPage: (parameters) => client.requests(parameters).catch(translate),
    summarize: (filter) => client.requestSummary(filter).catch(translate),
    async readFile(kind, filter) {
      const asked =
        kind === 'csv' ? client.exportRequests(filter) : client.exportRequestLines(filter)
      return untilCutOff(toWholeLines(await asked.catch(translate)))
    },
  }
}

async function* untilCutOff(lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines
  } catch (cause) {
    // fetch throws a TypeError where a transfer is cut off.
    if (!(cause instanceof TypeError)) throw cause
    throw new WeirError('upstream_unreachable', 'The transfer was cut off.', {
      hint: 'Try again; the log of the remote Weir says why.',
      cause,
    })
  }
}

function toSearch(parameters: RequestParameters): URLSearchParams {
  return new URLSearchParams(
    Object.entries(parameters).flatMap(([name, values]) =>
      [values].flat().map((value) => [name, value]),
    ),
  )
}
