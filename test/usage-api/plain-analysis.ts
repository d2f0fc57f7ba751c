// What GET /v1/analysis must answer, by plain sums over the records; and random calls and questions
// to compare with.

import fc from 'fast-check'
import type { CallStatus } from '../../src/core/usage-event.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import { createRecord } from '../contracts/usage-scene.ts'

const HOUR_MS = 3_600_000
export const FIRST_MS: number = Date.parse('2026-01-20T00:00:00Z')
/** Until the midnight before the tests' now. */
const HOURS = 24 * 54
/** 1e-9 USD: answers are rounded to it, and here nothing is lost by that. */
const NANO_USD = 1000n

export interface PlainQuestion {
  readonly fromMs: number
  readonly toMs: number
  readonly interval: 'none' | 'hour' | 'day' | 'week' | 'month'
  readonly groupBy: readonly string[]
  /** `FIELD=VALUE`, `FIELD!=VALUE`. */
  readonly filters: readonly (readonly [string, '=' | '!=', string])[]
  readonly orderBy: 'cost' | 'requests' | 'tokens' | 'denials'
  readonly limit: number
}

export interface PlainSum {
  cost: number
  requests: number
  errors: number
  denials: number
  tokens: number
}

export function drawCall(): fc.Arbitrary<UsageRecord> {
  const pick = <Value>(...values: Value[]): fc.Arbitrary<Value> => fc.constantFrom(...values)
  const drawn = fc.record({
    endedAt: fc.nat(HOURS * HOUR_MS - 1).map((ms) => FIRST_MS + ms),
    keyId: pick('svc_k_a', 'svc_k_b', null),
    provider: pick('north', 'south'),
    model: pick('m-1', 'maker/m-1', 'maker/m-2', null),
    status: pick<CallStatus>('delivered', 'refused', 'aborted', 'cut', 'denied'),
    dims: pick<Record<string, string>>({}, { team: 'a' }, { team: 'b', env: 'x' }, { team: 'c' }),
    tokens: fc.record({ input: fc.nat(9), output: fc.nat(9) }).map(createTokenCounts),
  })
  const amount = fc.option(fc.nat(10 ** 9).map((nanos) => BigInt(nanos) * NANO_USD))
  return fc
    .tuple(drawn, amount)
    .map(([event, cost]) =>
      createRecord({ ...event, startedAt: event.endedAt - 500 }, { amount: cost }),
    )
}

export function drawPlainQuestion(): fc.Arbitrary<PlainQuestion> {
  const field = fc.constantFrom('provider', 'creator', 'model', 'api_key', 'status', 'dim:team')
  const filter = fc.constantFrom<readonly [string, string]>(
    ['provider', 'north'],
    ['creator', 'maker'],
    ['creator', ''],
    ['model', 'm-1'],
    ['model', ''],
    ['api_key', 'svc_k_a'],
    ['api_key', ''],
    ['status', 'delivered'],
    ['dim:team', 'a'],
    ['dim:team', 'b'],
    ['dim:team', ''],
  )
  return fc
    .record({
      first: fc.nat(HOURS - 1),
      hours: fc.integer({ min: 1, max: HOURS }),
      interval: fc.constantFrom('none', 'hour', 'day', 'week', 'month'),
      groupBy: fc.uniqueArray(field, { maxLength: 2 }),
      filters: fc.array(fc.tuple(filter, fc.constantFrom('=', '!=')), { maxLength: 3 }),
      orderBy: fc.constantFrom('cost', 'requests', 'tokens', 'denials'),
      limit: fc.integer({ min: 1, max: 6 }),
    })
    .map(({ first, hours, filters, ...question }) => ({
      ...question,
      fromMs: FIRST_MS + first * HOUR_MS,
      toMs: FIRST_MS + (first + hours) * HOUR_MS,
      filters: filters.map(([[name, value], operator]) => [name, operator, value] as const),
    }))
}

export function toSearch(question: PlainQuestion): string {
  const search = new URLSearchParams({
    from: new Date(question.fromMs).toISOString(),
    to: new Date(question.toMs).toISOString(),
    interval: question.interval,
    order_by: question.orderBy,
    limit: String(question.limit),
  })
  for (const field of question.groupBy) search.append('group_by', field)
  for (const filter of question.filters) search.append('filter', filter.join(''))
  return search.toString()
}

/** By the group's values, `null` for none; an empty list for the total. */
export function sumPlainly(
  records: readonly UsageRecord[],
  question: PlainQuestion,
  groupBy: readonly string[] = question.groupBy,
): ReadonlyMap<string, PlainSum> {
  const sums = new Map<string, PlainSum>()
  for (const record of records.filter((each) => isAsked(each, question))) {
    const group = JSON.stringify(groupBy.map((field) => valueOf(record, field)))
    const sum = sums.get(group) ?? { cost: 0, requests: 0, errors: 0, denials: 0, tokens: 0 }
    addPlainly(sum, record)
    sums.set(group, sum)
  }
  return sums
}

function isAsked(record: UsageRecord, { fromMs, toMs, filters }: PlainQuestion): boolean {
  const { endedAt } = record.event
  if (endedAt < fromMs || endedAt >= toMs) return false
  return filters.every(([field, operator]) => {
    const isSame = filters
      .filter(([name, sign]) => name === field && sign === operator)
      .some(([, , value]) => (valueOf(record, field) ?? '') === value)
    return isSame === (operator === '=')
  })
}

function valueOf({ event }: UsageRecord, field: string): string | null {
  switch (field) {
    case 'provider':
      return event.provider
    case 'model':
      return event.model
    case 'creator':
      return event.model?.includes('/') === true ? (event.model.split('/')[0] ?? null) : null
    case 'api_key':
      return event.keyId
    case 'status':
      return event.status
    default:
      return event.dims[field.slice('dim:'.length)] ?? null
  }
}

function addPlainly(sum: PlainSum, { event, cost }: UsageRecord): void {
  if (event.status === 'denied') {
    sum.denials += 1
    return
  }
  sum.requests += 1
  if (event.status === 'refused' || event.status === 'cut') sum.errors += 1
  sum.cost += Number((cost.amount ?? 0n) / NANO_USD)
  sum.tokens += (event.tokens?.input ?? 0) + (event.tokens?.output ?? 0)
}
