// Compares what the provider and the callers of the torture saw with what Weir has on record. Must
// stay true: it knows the costs from the plan of the calls and reads the store's records one by
// one.

import { openLedgerStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import { formatMoney } from '../../src/core/money.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import type { ProcessName } from '../fakes/program.ts'
import { planCall } from './call-plan.ts'
import type { CallResult } from './callers.ts'
import { readAllRecords } from './read-all-records.ts'

export interface Kill {
  readonly role: ProcessName | 'supervisor' | 'database'
  /** On the monotonic clock. */
  readonly at: number
}

export interface Evidence {
  readonly dataDir: string
  /** Of the database that several nodes share. */
  readonly url?: string
  /** Of the ClickHouse of calls, if they are in one. */
  readonly callsUrl?: string
  readonly received: ReadonlyMap<number, number>
  readonly results: readonly CallResult[]
  readonly kills: readonly Kill[]
  /** With `journal.recordFirst`. */
  readonly recordsFirst?: boolean
  readonly completeness: Completeness
}

export interface Verdict {
  /** None when the record is whole. */
  readonly faults: readonly string[]
  readonly kills: number
  readonly calls: number
  readonly received: number
  readonly recorded: number
  readonly byStatus: Readonly<Record<string, number>>
  /**
   * Calls that their callers had whole in the very moment of a kill, before their line was written.
   */
  readonly overtaken: number
  readonly completeness: Completeness
}

// A caller that has its last byte and a kill that comes before the call's line is written can only
// be this close to each other. The caller's own process is busy too, and notes its moments late.
const OVERTAKEN_MS_MAX = 300
/**
 * On the average. A journal that kept lines in memory for a while would cost each caller some at
 * every kill.
 */
const OVERTAKEN_PER_KILL_MAX = 1
const CUT_STATUSES = new Set(['interrupted', 'aborted', 'cut'])

export async function judgeRecord(evidence: Evidence): Promise<Verdict> {
  const { dataDir, url = null, callsUrl = null } = evidence
  const store = await openLedgerStore({ dataDir, url, callsUrl, clock: systemClock })
  try {
    const records = await readAllRecords(store)
    const calls = judgeCalls(evidence, records)
    const sums = await judgeSums(store, records)
    const faults = [...calls.faults, ...sums, ...judgeCompleteness(evidence, records)]
    return {
      faults,
      kills: evidence.kills.length,
      calls: evidence.results.length,
      received: evidence.received.size,
      recorded: records.length,
      byStatus: countByStatus(records),
      overtaken: calls.overtaken,
      completeness: evidence.completeness,
    }
  } finally {
    await store.close()
  }
}

function judgeCalls(evidence: Evidence, records: readonly UsageRecord[]) {
  const { received, results, kills, recordsFirst } = evidence
  const faults: string[] = []
  const forwarded = records.filter(({ event }) => event.status !== 'denied')
  const byCall = Map.groupBy(forwarded, ({ event }) => Number(event.dims['call']))
  for (const [n, times] of received) {
    const found = byCall.get(n)?.length ?? 0
    if (times !== 1) faults.push(`call ${n} came to the provider ${times} times`)
    if (found !== 1) faults.push(`call ${n} is recorded ${found} times`)
  }
  for (const [n, found] of byCall) {
    const isKnown = received.has(n) || CUT_STATUSES.has(found[0]?.event.status ?? '')
    if (!isKnown) faults.push(`call ${n} never came to the provider and is ${describe(found[0])}`)
  }
  const proxyKills = kills.filter(({ role }) => role === 'proxy').map(({ at }) => at)
  let overtaken = 0
  for (const result of results) {
    const record = byCall.get(result.n)?.[0]
    if (record === undefined) {
      if (result.isWhole) faults.push(`call ${result.n} was delivered and is not recorded`)
    } else if (!result.isWhole || isExact(record)) {
      continue
    } else if (
      record.event.status === 'interrupted' &&
      proxyKills.some((at) => Math.abs(at - result.endedAt) < OVERTAKEN_MS_MAX)
    ) {
      overtaken += 1
    } else {
      faults.push(`call ${result.n} was delivered and is ${describe(record)}`)
    }
  }
  if (overtaken > (recordsFirst === true ? 0 : proxyKills.length * OVERTAKEN_PER_KILL_MAX)) {
    faults.push(
      `${overtaken} calls were delivered and are interrupted, by ${proxyKills.length} kills`,
    )
  }
  return { faults, overtaken }
}

/** Delivered, or refused by the provider, at the cost that the plan of the call says. */
function isExact({ event, cost }: UsageRecord): boolean {
  const plan = planCall(Number(event.dims['call']))
  if (event.status !== (plan.status === 200 ? 'delivered' : 'refused')) return false
  return plan.cost === null || cost.amount === plan.cost
}

function describe(record: UsageRecord | undefined): string {
  if (record === undefined) return 'not there'
  const { event, cost } = record
  const amount = cost.amount === null ? 'no cost' : formatMoney(cost.amount)
  return `${event.dims['kind']}, ${event.status}, ${event.usage}, ${amount}`
}

async function judgeSums(store: LedgerStore, records: readonly UsageRecord[]): Promise<string[]> {
  const report = await store.usage.upkeep.rebuildRollups({ isTrial: true })
  const faults = report.examples.map((example) => `a sum is not that of the records: ${example}`)
  let cost = 0n
  for (const record of records) cost += record.cost.amount ?? 0n
  const months = records.map(({ event }) => new Date(event.endedAt).toISOString().slice(0, 7))
  const [from, to] = [months.toSorted()[0], months.toSorted().at(-1)]
  if (from === undefined || to === undefined) return ['there are no records']
  const [total] = await store.usage.sum({
    period: { grain: 'month', from, to },
    grouping: { by: 'total' },
    keyId: null,
  })
  if (total?.cost !== cost) faults.push(`the total is ${total?.cost}, the records make ${cost}`)
  const counted = records.filter(({ event }) => event.status !== 'denied').length
  if (total?.requests !== counted) faults.push(`the total counts ${total?.requests} calls`)
  return faults
}

function judgeCompleteness({ completeness }: Evidence, records: readonly UsageRecord[]): string[] {
  const { forwarded, recorded, pending, dead, lost } = completeness
  const counted = records.filter(({ event }) => event.status !== 'denied').length
  const isWhole = pending === 0 && dead === 0 && lost === 0 && forwarded === recorded
  if (isWhole && recorded === counted) return []
  return [`completeness is ${JSON.stringify(completeness)}, with ${counted} records`]
}

function countByStatus(records: readonly UsageRecord[]): Record<string, number> {
  const groups = Map.groupBy(records, ({ event }) => event.status)
  return Object.fromEntries([...groups].map(([status, group]) => [status, group.length]))
}
