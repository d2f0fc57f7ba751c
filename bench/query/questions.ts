// Every question that is asked of a filled store: those of the catalogue, each for all keys and for
// one of them where it can be, and with few and with many rows where it is cut (a row that the
// catalogue gains is asked here without an edit); and what is asked of single calls: pages of the
// request log by filter and by order, their number and cost, one call, a file of calls, and the
// first page of the console, which compares months to the minute and so reads calls of the days
// that it cuts.

import { CATALOGUE, LIMIT_DEFAULT, LIMIT_MAX, MONTHS_MAX } from '../../src/api/contract.ts'
import type { CatalogueRow, UsageWindow } from '../../src/api/contract.ts'
import { toMonth } from '../../src/api/usage/windows.ts'
import type { Random } from '../../test/torture/random.ts'
import { KEYS, toKeyId } from '../harness/company.ts'
import { listMonthStarts, MONTHS } from './two-years.ts'

export interface Question {
  readonly name: string
  /** A page is one of the request log. */
  readonly kind: 'catalogue' | 'page' | 'other'
  /** As it is asked; what the question leaves open (month, key) is drawn. */
  readonly draw: (random: Random) => string
}

export interface CatalogueQuestion extends Question {
  /** A breakdown of one month. */
  readonly isOfMonth: boolean
  /** Null where nothing is cut. */
  readonly limit: number | null
}

type Search = Readonly<Record<string, string>>

export const LIMITS = [LIMIT_DEFAULT, LIMIT_MAX] as const
/** Those with the fewest and the most values. */
const DIM_KEYS = ['team', 'user'] as const
/** Half of the keys asked for are among these, which have the most rows. */
const BUSIEST_KEYS = 10
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LOG = '/v1/requests'
const KEPT_IDS = 400
const PAGE_ROWS = 50

export function listCatalogue(): readonly CatalogueQuestion[] {
  return CATALOGUE.flatMap((row) => {
    const isCut = row.dimension !== null && row.dimension !== 'day'
    const isByDim = row.dimension === 'dim' || row.dimension === 'dim_model'
    return combine(row.windows, isByDim ? DIM_KEYS : [null]).flatMap(([window, dimKey]) =>
      combine(row.metric === 'cost_usd' ? [false, true] : [false], isCut ? LIMITS : [null]).map(
        ([isOfKey, limit]) => createQuestion({ row, window, dimKey, isOfKey, limit }),
      ),
    )
  })
}

function combine<A, B>(left: readonly A[], right: readonly B[]): (readonly [A, B])[] {
  return left.flatMap((each) => right.map((other) => [each, other] as const))
}

interface QuestionParts {
  readonly row: CatalogueRow
  readonly window: UsageWindow
  readonly isOfKey: boolean
  readonly dimKey: string | null
  readonly limit: number | null
}

function createQuestion(parts: QuestionParts): CatalogueQuestion {
  const { row, window, dimKey, isOfKey, limit } = parts
  const words = [row.metric, row.dimension === null ? null : `by ${row.dimension}`, dimKey]
  const ends = [window, isOfKey ? 'one key' : null, limit === null ? null : `${limit} rows`]
  const present = (some: readonly (string | null)[]) => some.filter((word) => word !== null)
  return {
    name: [present(words).join(' '), ...present(ends)].join(', '),
    kind: 'catalogue',
    isOfMonth: row.dimension !== null && window === 'month',
    limit,
    draw: (random) =>
      toTarget('/v1/usage', {
        metric: row.metric,
        window,
        ...(row.dimension === null ? {} : { dimension: row.dimension }),
        ...(dimKey === null ? {} : { dim_key: dimKey }),
        ...(window === 'month' ? { month: drawMonth(random) } : {}),
        ...(window === 'monthly_series' ? { months: String(MONTHS_MAX) } : {}),
        ...(isOfKey ? drawKey(random) : {}),
        ...(limit === null ? {} : { limit: String(limit) }),
      }),
  }
}

function drawMonth(random: Random): string {
  return toMonth(listMonthStarts(Date.now())[random(MONTHS)] as number)
}

function drawKey(random: Random): Search {
  const key = random(2) === 0 ? random(KEYS) : random(BUSIEST_KEYS)
  return { api_key: toKeyId(key) }
}

/** Of single calls, of which the ids are some. */
export function listOthers(ids: readonly string[]): readonly Question[] {
  type Draw = (random: Random) => Search
  const page = (name: string, search: Draw): Question => ({
    name: `request log, ${name}`,
    kind: 'page',
    draw: (random) => toTarget(LOG, { limit: String(PAGE_ROWS), ...search(random) }),
  })
  const other = (name: string, path: string, search: Draw): Question => ({
    name,
    kind: 'other',
    draw: (random) => toTarget(path, search(random)),
  })
  const drawDay: Draw = (random) => drawSpan(random, DAY_MS)
  const draw30Days: Draw = (random) => drawSpan(random, 30 * DAY_MS)
  const ofKey: Draw = (random) => ({ ...draw30Days(random), ...drawKey(random) })
  const byCost = { sort: 'cost' }
  const byDuration = { sort: 'duration', direction: 'asc' }
  // As many are examined as a page may examine.
  const nobody = { dim_key: 'user', dim_value: 'nobody' }
  return [
    page('the newest', () => ({})),
    page('a day', drawDay),
    page('a day of one key', (random) => ({ ...drawDay(random), ...drawKey(random) })),
    page('30 days of one key', ofKey),
    page('30 days, nothing found', (random) => ({ ...draw30Days(random), ...nobody })),
    page('a day by cost', (random) => ({ ...drawDay(random), ...byCost })),
    page('a day by duration', (random) => ({ ...drawDay(random), ...byDuration })),
    other('number and cost, a day', `${LOG}/summary`, drawDay),
    other('number and cost, 30 days of one key', `${LOG}/summary`, ofKey),
    {
      name: 'one call by its id',
      kind: 'other',
      draw: (random) => `${LOG}/${ids[random(ids.length)] as string}`,
    },
    other('a file of the calls of an hour', '/v1/exports/requests.csv', (random) =>
      drawSpan(random, HOUR_MS),
    ),
    other('the first page, days cut', '/v1/overview', () => ({})),
  ]
}

/** Ids of calls of all months, to ask for. */
export async function readIds(
  api: string,
  token: string,
  random: Random,
): Promise<readonly string[]> {
  const ids: string[] = []
  const limit = String(Math.ceil(KEPT_IDS / MONTHS))
  for (let month = 0; month < MONTHS; month += 1) {
    const target = toTarget(LOG, { ...drawSpan(random, DAY_MS, month), limit })
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${api}${target}`, { headers })
    const page = (await answer.json()) as { readonly rows: readonly { readonly id: string }[] }
    ids.push(...page.rows.map(({ id }) => id))
  }
  return ids
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

function toTarget(path: string, search: Search): string {
  return `${path}?${new URLSearchParams(search).toString()}`
}
