// What new price data means in money: the usage of the last 30 days at today's prices and at the
// new ones, by model. Must stay true: every cost is calculated from recorded facts, and a sum that
// stands for more calls than were read is marked as an estimate.

import { setImmediate } from 'node:timers/promises'
import { divideHalfEven } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { priceEvent } from '../tables/price.ts'
import type { PriceTables } from '../tables/price-tables.ts'
import type { Config } from '../../config/config.ts'
import type { PriceSettings } from '../../store/settings/price-store.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { createConfiguredTables } from './configured-tables.ts'
import type { CheckedImport } from './price-import.ts'

export interface ModelImpact {
  readonly provider: string
  readonly model: string
  readonly calls: number
  readonly before: Money
  readonly after: Money
  /** Calls without a cost, which are in no sum. */
  readonly unpricedBefore: number
  readonly unpricedAfter: number
}

export interface PriceImpact {
  readonly days: number
  readonly calls: number
  /** Some days had more calls than were read; their sums are projected from those. */
  readonly isEstimate: boolean
  /** Of all calls. */
  readonly before: Money
  readonly after: Money
  /** Only those with a difference, the biggest first. */
  readonly models: readonly ModelImpact[]
}

export interface ImpactOptions {
  readonly usage: Pick<UsageStore, 'upkeep' | 'sum'>
  readonly settings: PriceSettings
  readonly config: Config
  readonly nowMs: number
  /** Calls that are read of each day, during which the thread is blocked. */
  readonly dayCallsMax?: number
}

export const IMPACT_DAYS = 30
const DAY_CALLS_MAX = 2000
const DAY_MS = 86_400_000

type Sum = { -readonly [Name in keyof ModelImpact]: ModelImpact[Name] }

export async function measureImpact(
  { version, publishedAt, text }: CheckedImport,
  options: ImpactOptions,
): Promise<PriceImpact> {
  const { usage, settings, config, nowMs, dayCallsMax = DAY_CALLS_MAX } = options
  const imported = { version, publishedAt, text, importedAt: nowMs, who: '' }
  const before = createConfiguredTables(settings, config)
  const after = createConfiguredTables({ ...settings, imported }, config)
  const today = Math.floor(nowMs / DAY_MS) * DAY_MS
  const counts = await countCalls(usage, today)
  const sums = new Map<string, Sum>()
  let isEstimate = false
  for (let back = IMPACT_DAYS - 1; back >= 0; back -= 1) {
    const fromMs = today - back * DAY_MS
    const filter = { ...ALL_REQUESTS, fromMs, toMs: fromMs + DAY_MS }
    const records = await usage.upkeep.readRecords(filter, { after: null, rowsMax: dayCallsMax })
    const events = records.map(({ event }) => event).filter(({ status }) => status !== 'denied')
    const isCut = records.length === dayCallsMax
    const stands = isCut ? Math.max(counts.get(toDay(fromMs)) ?? 0, events.length) : events.length
    isEstimate ||= stands > events.length
    const day = sumDay(events, { before, after, nowMs })
    for (const [name, sum] of day) addDay(sums, [name, sum], [stands, events.length])
    // The store answers without leaving the thread: other work on it needs a turn.
    await setImmediate()
  }
  return toImpact([...sums.values()], isEstimate)
}

async function countCalls(
  usage: ImpactOptions['usage'],
  today: number,
): Promise<ReadonlyMap<string, number>> {
  const from = toDay(today - (IMPACT_DAYS - 1) * DAY_MS)
  const days = await usage.sum({
    period: { grain: 'day', from, to: toDay(today) },
    grouping: { by: 'bucket' },
    keyId: null,
  })
  return new Map(days.map(({ bucket, requests }) => [bucket ?? '', requests]))
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

interface Books {
  readonly before: PriceTables
  readonly after: PriceTables
  readonly nowMs: number
}

function sumDay(events: readonly UsageEvent[], { before, after, nowMs }: Books): Map<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const recorded of events) {
    // As if it ended today, at the same hour: prices of the coming calls are compared.
    const days = Math.floor((nowMs - recorded.endedAt) / DAY_MS)
    const event = { ...recorded, endedAt: recorded.endedAt + days * DAY_MS }
    const sum = findSum(sums, event.provider, event.model ?? '')
    const [old, fresh] = [priceEvent(event, before).amount, priceEvent(event, after).amount]
    sum.calls += 1
    sum.before += old ?? 0n
    sum.after += fresh ?? 0n
    sum.unpricedBefore += Number(old === null)
    sum.unpricedAfter += Number(fresh === null)
  }
  return sums
}

function findSum(sums: Map<string, Sum>, provider: string, model: string): Sum {
  const name = JSON.stringify([provider, model])
  const known = sums.get(name)
  if (known !== undefined) return known
  const counts = { calls: 0, unpricedBefore: 0, unpricedAfter: 0 }
  const made: Sum = { provider, model, before: 0n, after: 0n, ...counts }
  sums.set(name, made)
  return made
}

function addDay(
  sums: Map<string, Sum>,
  [name, day]: readonly [string, Sum],
  [stands, read]: readonly [stands: number, read: number],
): void {
  const project = (count: number): number => Math.round((count * stands) / read)
  const projectMoney = (amount: Money): Money =>
    divideHalfEven(amount * BigInt(stands), BigInt(read))
  const sum = sums.get(name) ?? findSum(sums, day.provider, day.model)
  sum.calls += project(day.calls)
  sum.before += projectMoney(day.before)
  sum.after += projectMoney(day.after)
  sum.unpricedBefore += project(day.unpricedBefore)
  sum.unpricedAfter += project(day.unpricedAfter)
}

function toImpact(sums: readonly Sum[], isEstimate: boolean): PriceImpact {
  const total = { calls: 0, before: 0n, after: 0n }
  for (const { calls, before, after } of sums) {
    total.calls += calls
    total.before += before
    total.after += after
  }
  const models = sums
    .filter((sum) => sum.before !== sum.after || sum.unpricedBefore !== sum.unpricedAfter)
    .toSorted((one, two) => {
      const [left, right] = [moveOf(one), moveOf(two)]
      return left === right ? two.calls - one.calls : left > right ? -1 : 1
    })
  return { days: IMPACT_DAYS, ...total, isEstimate, models }
}

function moveOf({ before, after }: ModelImpact): Money {
  return after > before ? after - before : before - after
}
