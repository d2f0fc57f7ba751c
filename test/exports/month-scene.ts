// The calls of October 2026, with everything that makes a month's file hard: calls across its
// edges, calls that stayed open for weeks, every source of a cost, and texts that a spreadsheet
// would run.

import { createRequestId } from '../../src/core/ids.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import type { ReportedBilling, UsageEvent } from '../../src/core/usage-event.ts'
import type { Cost, UsageRecord } from '../../src/core/usage-record.ts'
import { createRecord } from '../contracts/usage-scene.ts'

export const MONTH = '2026-10'
export const NOW = Date.parse('2026-11-15T12:00:00.000Z')

const BILLING: ReportedBilling = {
  cost: null,
  marketCost: null,
  isByok: null,
  generationId: null,
}

interface Times {
  readonly from: string
  readonly to: string
}

function call(times: Times, changes: Partial<UsageEvent> = {}, cost: Partial<Cost> = {}) {
  const startedAt = Date.parse(times.from)
  const endedAt = Date.parse(times.to)
  return createRecord({ id: createRequestId(startedAt), startedAt, endedAt, ...changes }, cost)
}

const DAY: Times = { from: '2026-10-14T10:00:00.250Z', to: '2026-10-14T10:00:01.750Z' }
const TINY = { amount: 1n }

/** Those that ended in the month, the denied one included. */
export const INSIDE: readonly UsageRecord[] = [
  call({ from: '2026-09-30T23:59:59.000Z', to: '2026-10-01T00:00:00.000Z' }, {}, TINY),
  call({ from: '2026-10-31T23:59:58.000Z', to: '2026-10-31T23:59:59.999Z' }, {}, TINY),
  // The clock was set back while it ran.
  call({ from: '2026-11-01T00:10:00.000Z', to: '2026-10-31T23:59:00.000Z' }, {}, TINY),
  // Its process died in August; that was found out in October.
  call(
    { from: '2026-08-20T10:00:00.000Z', to: '2026-10-02T10:00:00.000Z' },
    { status: 'interrupted', model: null, tokens: null, usage: 'none' },
    { amount: null, source: 'unpriced', priceVersion: null },
  ),
  call(DAY, {
    model: '=HYPERLINK("http://x")',
    requestedModel: '+1;=2',
    dims: { team: '@sum(1)', note: 'a "b", c;=1' },
    serviceTier: '-flex',
    region: '-east',
    tokens: createTokenCounts({ input: 100, output: 50, cacheRead: 20, reasoning: 7 }),
  }),
  call(
    DAY,
    { model: 'maker/m', billing: { ...BILLING, marketCost: 2_500_000n, isByok: true } },
    { amount: 0n, source: 'byok-zero', priceVersion: null },
  ),
  call(
    DAY,
    { billing: { ...BILLING, cost: 3n, marketCost: 5n, generationId: 'gen_1' } },
    { amount: 3n, source: 'gateway', priceVersion: null },
  ),
  call(DAY, { model: 'line\r\nbreak', keyId: null }, { amount: 123_456_789_012_345n }),
  call(DAY, { operation: null }, { amount: 77n, source: 'override' }),
  call(DAY, { status: 'refused', tokens: null }, { amount: 0n, source: 'free' }),
  call(DAY, { status: 'denied', tokens: null, keyId: null }, { amount: 0n, source: 'free' }),
]

export const OUTSIDE: readonly UsageRecord[] = [
  call({ from: '2026-09-30T23:59:58.000Z', to: '2026-09-30T23:59:59.999Z' }),
  call({ from: '2026-10-31T23:59:59.000Z', to: '2026-11-01T00:00:00.000Z' }),
]

export function isCharged({ event }: UsageRecord): boolean {
  return event.status !== 'denied'
}
