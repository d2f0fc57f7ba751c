// What is asked of single calls through HTTP, on any store: pages of the request log by filter and
// by order, their number and cost, one call, a file of calls, and the first page of the console,
// which compares months to the minute and so reads calls of the days that it cuts.

import { KEYS } from '../ledger/company.ts'
import type { Random } from '../ledger/company.ts'
import { quantile } from '../relay/measure.ts'
import type { Asker } from './asker.ts'
import { listMonthStarts, MONTHS } from './two-years.ts'

export interface SingleCalls {
  readonly name: string
  /** Counted to what a page of the request log takes at most. */
  readonly isPage: boolean
  readonly ask: (asker: Asker, random: Random) => Promise<unknown>
}

type Search = Readonly<Record<string, string>>

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LOG = '/v1/requests'
const TIMES = 100
const KEPT_IDS = 400
const PAGE_ROWS = 50
/** One that no call has: as many are examined as a page may examine. */
const NO_VALUE = 'nobody'

export interface CallsLocation {
  readonly port: number
  readonly token: string
  readonly random: Random
}

/** As rows of a table. */
export async function measureSingleCalls(
  ids: readonly string[],
  asker: Asker,
  random: Random,
): Promise<string[][]> {
  const rows = [['', 'p50', 'p99']]
  for (const { name, ask } of listSingleCalls(ids)) {
    const waits: number[] = []
    while (waits.length < TIMES) {
      const startedAt = performance.now()
      await ask(asker, random)
      waits.push(performance.now() - startedAt)
    }
    const ms = Float64Array.from(waits).sort()
    rows.push([name, ...[0.5, 0.99].map((share) => quantile(ms, share).toFixed(2))])
  }
  return rows
}

/** Ids of calls of all months, to ask for. */
export async function readIds({ port, token, random }: CallsLocation): Promise<readonly string[]> {
  const ids: string[] = []
  const limit = String(Math.ceil(KEPT_IDS / MONTHS))
  for (let month = 0; month < MONTHS; month += 1) {
    const search = toSearch({ ...drawSpan(random, DAY_MS, month), limit })
    const answer = await fetch(`http://127.0.0.1:${port}${LOG}?${search}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const page = (await answer.json()) as { readonly rows: readonly { readonly id: string }[] }
    ids.push(...page.rows.map(({ id }) => id))
  }
  return ids
}

export function listSingleCalls(ids: readonly string[]): readonly SingleCalls[] {
  const toKey = (random: Random) => `svc_k_${String(random(KEYS)).padStart(16, '0')}`
  const page = (name: string, draw: (random: Random) => Search) => ({
    name: `request log, ${name}`,
    isPage: true,
    ask: async (asker: Asker, random: Random) =>
      asker.ask(toSearch({ limit: String(PAGE_ROWS), ...draw(random) }), LOG),
  })
  const other = (name: string, path: string, draw: (random: Random) => Search) => ({
    name,
    isPage: false,
    ask: async (asker: Asker, random: Random) => asker.ask(toSearch(draw(random)), path),
  })
  return [
    page('the newest', () => ({})),
    page('a day', (random) => drawSpan(random, DAY_MS)),
    page('a day of one key', (random) => ({
      ...drawSpan(random, DAY_MS),
      api_key: toKey(random),
    })),
    page('30 days of one key', (random) => ({
      ...drawSpan(random, 30 * DAY_MS),
      api_key: toKey(random),
    })),
    page('30 days, nothing found', (random) => ({
      ...drawSpan(random, 30 * DAY_MS),
      dim_key: 'user',
      dim_value: NO_VALUE,
    })),
    page('a day by cost', (random) => ({ ...drawSpan(random, DAY_MS), sort: 'cost' })),
    page('a day by duration', (random) => ({
      ...drawSpan(random, DAY_MS),
      sort: 'duration',
      direction: 'asc',
    })),
    other('number and cost, a day', `${LOG}/summary`, (random) => drawSpan(random, DAY_MS)),
    other('number and cost, 30 days of one key', `${LOG}/summary`, (random) => ({
      ...drawSpan(random, 30 * DAY_MS),
      api_key: toKey(random),
    })),
    {
      name: 'one call by its id',
      isPage: false,
      ask: (asker, random) => asker.ask('', `${LOG}/${ids[random(ids.length)] as string}`),
    },
    other('a file of the calls of an hour', '/v1/exports/requests.csv', (random) =>
      drawSpan(random, HOUR_MS),
    ),
    other('the first page, days cut', '/v1/overview', () => ({})),
  ]
}

/** Anywhere in the two years, or in the given month of them. */
function drawSpan(random: Random, ms: number, month: number | null = null): Search {
  const nowMs = Date.now()
  const starts = listMonthStarts(nowMs)
  const firstMs = starts[month ?? 0] as number
  const endMs = Math.min(nowMs, starts[month === null ? MONTHS : month + 1] as number)
  const hours = Math.max(1, Math.floor((endMs - firstMs - ms) / HOUR_MS))
  const fromMs = firstMs + random(hours) * HOUR_MS
  return { from: new Date(fromMs).toISOString(), to: new Date(fromMs + ms).toISOString() }
}

function toSearch(words: Search): string {
  return new URLSearchParams(words).toString()
}
