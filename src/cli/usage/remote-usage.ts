// Usage figures of a remote Weir, within a time limit.

import type {
  Analysis,
  AnalysisQuery,
  Overview,
  UsageQuery,
  WeirClient,
} from '../../../client/weir-client.js'
import { WeirError } from '../../core/weir-error.ts'
import { createRemoteClient, toRemoteError } from './remote-api.ts'
import type { RemoteOptions } from './remote-api.ts'
import { QUESTION_HINT } from './usage-figures.ts'
import type { UsageNotes, UsageQuestion, UsageReader } from './usage-figures.ts'
import { readRemoteKeys } from '../keys/remote-keys.ts'

export interface RemoteUsage extends UsageReader, UsageNotes {
  /** What GET /v1/analysis answers; a parameter may be given several times. */
  readAnalysis(search: URLSearchParams): Promise<Analysis>
}

export interface RemoteUsageOptions extends Pick<RemoteOptions, 'url' | 'token' | 'onSilentNodes'> {
  /** For all questions together. */
  readonly timeoutMs?: number
  /** Called when the rate limit is reached, with the seconds until the next try. */
  readonly onWait?: (seconds: number) => void
}

const TIMEOUT_MS = 120_000
const TOO_MANY = 429

const HINTS = {
  invalid_parameter: QUESTION_HINT,
  unknown_catalog_tuple: QUESTION_HINT,
  not_found: 'Is it an older Weir? Update it, or ask with --json, which every version answers.',
}

export function createRemoteUsage(options: RemoteUsageOptions): RemoteUsage {
  const { url, timeoutMs = TIMEOUT_MS, onWait, ...others } = options
  const signal = AbortSignal.timeout(timeoutMs)
  const onResponse = ({ status, headers }: Response): void => {
    if (status === TOO_MANY) onWait?.(Number(headers.get('retry-after')))
  }
  const client = createRemoteClient({ url, ...others, signal, onResponse })
  const within = async <Answer>(answering: Promise<Answer>): Promise<Answer> => {
    try {
      return await answering
    } catch (error) {
      if (signal.aborted) {
        throw new WeirError('upstream_timeout', `${url} took more than ${timeoutMs / 1000} s.`, {
          hint: 'Try again later, or ask for less.',
        })
      }
      throw toRemoteError(error, url, HINTS)
    }
  }
  // The API validates questions.
  const toQuery = (question: UsageQuestion) => question as unknown as UsageQuery
  return {
    ask: (question) => within(client.usage(toQuery(question))),
    readBreakdown: async (question) => {
      const breakdown = await within(client.breakdown(toQuery(question)))
      return { ...breakdown, repriced: toKnown(breakdown.repriced) }
    },
    readOverview: () => within(readWholeOverview(client)),
    readAnalysis: (search) => within(client.analysis(toAnalysisQuery(search))),
    readKeyNames: async () =>
      new Map((await within(readRemoteKeys(client))).map(({ id, name }) => [id, name])),
    hasUnpriced: async () => (await within(client.missingPrices())).rows.length > 0,
  }
}

/** An older Weir does not say which months were repriced. */
function toKnown(repriced: Overview['repriced'] | undefined): Overview['repriced'] {
  return repriced ?? []
}

function toAnalysisQuery(search: URLSearchParams): AnalysisQuery {
  const names = [...new Set(search.keys())]
  return Object.fromEntries(names.map((name) => [name, search.getAll(name)])) as AnalysisQuery
}

/** That of an older Weir has no figures. */
async function readWholeOverview(client: WeirClient): Promise<Overview> {
  const overview: Partial<Overview> = await client.overview()
  if (overview.figures !== undefined) {
    return { ...(overview as Overview), repriced: toKnown(overview.repriced) }
  }
  throw new WeirError('not_found', 'That Weir has no figures at a glance.', {
    hint: HINTS.not_found,
  })
}
