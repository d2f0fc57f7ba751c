// A table of usages and what they cost, as a text in columns: title, model, moment, tier, what was
// used, the arithmetic, USD. Must stay true: the figures are worked out by hand from the named list
// prices; a row that cannot be read is an error of the table, never a row left out.

import assert from 'node:assert/strict'
import { parseMoney } from '../../src/core/money.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { TokenCounts } from '../../src/core/token-counts.ts'
import { toInterruptedEvent, USAGE_EVENT_VERSION } from '../../src/core/usage-event.ts'
import type { ReportedBilling, UsageEvent } from '../../src/core/usage-event.ts'
import type { CostSource } from '../../src/core/usage-record.ts'

export interface PriceRow {
  readonly title: string
  readonly event: UsageEvent
  /** `(1000×2.5 + 500×10)/1e6`, or in words why there is no price. */
  readonly arithmetic: string
  /** Null where it is not known. */
  readonly usd: string | null
  readonly costSource: CostSource
}

export interface TableHead {
  readonly provider: string
  /** Where its list prices stand. */
  readonly source: string
}

export function readRows({ provider, source }: TableHead, table: string): readonly PriceRow[] {
  assert.ok(source !== '', 'a table names its list prices')
  const lines = table.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '').map((line) => readRow(provider, line))
}

const COLUMNS = 7

function readRow(provider: string, line: string): PriceRow {
  const cells = line.split('|').map((cell) => cell.trim())
  assert.equal(cells.length, COLUMNS, `columns of "${line}"`)
  const [title = '', model = '', moment = '', tier = '', used = '', arithmetic = '', usd = ''] =
    cells
  const serviceTier = tier === '-' ? null : tier
  const event = createEvent(provider, moment, { model, serviceTier, ...readUsed(used) })
  return {
    title: `${provider}, ${title}: ${[model, serviceTier, moment].filter(Boolean).join(' ')}`,
    event,
    arithmetic,
    usd: usd === 'unpriced' ? null : usd.replace(/^[a-z]+$/, '0'),
    costSource: toCostSource(usd, event),
  }
}

function toCostSource(usd: string, { billing }: UsageEvent): CostSource {
  if (usd === 'unpriced' || usd === 'free') return usd
  if (usd === 'byok') return 'byok-zero'
  return billing === null ? 'price-book' : 'gateway'
}

function createEvent(provider: string, moment: string, facts: Partial<UsageEvent>): UsageEvent {
  const endedAt = Date.parse(moment.includes('T') ? moment : `${moment}T12:00:00Z`)
  assert.ok(Number.isFinite(endedAt), `moment ${moment}`)
  const opening = {
    version: USAGE_EVENT_VERSION,
    id: '019ddd00-0000-7000-8000-000000000001',
    keyId: 'svc_k_price',
    provider,
    operation: null,
    dims: {},
    startedAt: endedAt - 1000,
  } as const
  const interrupted = toInterruptedEvent(opening, endedAt)
  return { ...interrupted, status: 'delivered', usage: 'reported', ...facts }
}

const TOKEN_WORDS = Object.keys(createTokenCounts({ cacheReadAudio: 1, cacheReadImage: 1 }))

/** `input 1000, web_search 2, cost 0.01, byok`. */
function readUsed(text: string): Partial<UsageEvent> {
  const tokens: Record<string, number> = {}
  const toolCalls: Record<string, number> = {}
  let billing: ReportedBilling | null = null
  const facts: { status?: 'denied'; chargeable?: boolean } = {}
  for (const part of text.split(',').map((each) => each.trim())) {
    const [word = '', figure = ''] = part.split(' ')
    billing = readBilling(billing, word, figure)
    if (word === 'denied') facts.status = 'denied'
    if (word === 'uncharged') facts.chargeable = false
    if (figure === '' || word === 'cost' || word === 'market') continue
    const count = Number(figure)
    assert.ok(Number.isSafeInteger(count), `count of ${part}`)
    if (TOKEN_WORDS.includes(word)) tokens[word] = count
    else toolCalls[word] = count
  }
  const counts: TokenCounts | null =
    Object.keys(tokens).length === 0 ? null : createTokenCounts(tokens)
  return { tokens: counts, toolCalls, billing, ...facts }
}

const NO_BILLING: ReportedBilling = {
  cost: null,
  marketCost: null,
  isByok: null,
  generationId: null,
}

function readBilling(
  billing: ReportedBilling | null,
  word: string,
  figure: string,
): ReportedBilling | null {
  if (word === 'cost') return { ...(billing ?? NO_BILLING), cost: parseMoney(figure) }
  if (word === 'market') return { ...(billing ?? NO_BILLING), marketCost: parseMoney(figure) }
  return word === 'byok' ? { ...(billing ?? NO_BILLING), isByok: true } : billing
}
