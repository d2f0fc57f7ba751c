// What the calls of keys come to that get a team: those that are booked, those that are no longer
// kept, and those of values that no key has.

import { formatMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { TEAM_FACT } from '../../core/teams/team.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { ALL_MONTHS } from '../../store/usage/usage-store.ts'
import type { UsageStore } from '../../store/usage/usage-store.ts'
import { NO_KEY_MAX } from './adopt-contract.ts'
import type { TeamAdoptionAnswer } from './adopt-contract.ts'

export interface CallSum {
  /** Refused ones included, which cost nothing. */
  readonly calls: number
  readonly forwarded: number
  readonly cost: Money
}

/** By the names of teams, or of months. */
export type CallSums = Map<string, CallSum>

const NO_CALLS: CallSum = { calls: 0, forwarded: 0, cost: 0n }

export function addCall(sums: CallSums, name: string, { event, cost }: UsageRecord): void {
  const sum = sums.get(name) ?? NO_CALLS
  const isForwarded = event.status !== 'denied'
  sums.set(name, {
    calls: sum.calls + 1,
    forwarded: sum.forwarded + (isForwarded ? 1 : 0),
    cost: sum.cost + (isForwarded ? (cost.amount ?? 0n) : 0n),
  })
}

export function toSum(...sums: readonly (Pick<CallSum, 'calls' | 'cost'> | undefined)[]) {
  const calls = sums.reduce((count, sum) => count + (sum?.calls ?? 0), 0)
  return { calls, cost_usd: formatMoney(sums.reduce((cost, sum) => cost + (sum?.cost ?? 0n), 0n)) }
}

export function toMonth(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7)
}

/** A call may end so long after it began. */
const CALL_LASTS_MS_MAX = 31 * 86_400_000

/** Of months that may lack calls: what these keys' calls without a team come to by the sums. */
export async function sumUnbooked(
  usage: UsageStore,
  keyIds: ReadonlySet<string>,
): Promise<CallSums> {
  const unbooked: CallSums = new Map()
  if (keyIds.size === 0) return unbooked
  const { oldestAt } = await usage.requests.readExtent()
  const last = oldestAt === null ? '9999' : toMonth(oldestAt + CALL_LASTS_MS_MAX)
  const grouping = { by: 'bucket' } as const
  const asked = { period: ALL_MONTHS, grouping, keyId: null, isCostOnly: true }
  const months = (await usage.sum(asked)).flatMap(({ bucket }) => bucket ?? []).toSorted()
  for (const month of months.filter((each) => each <= last)) {
    const fromMs = Date.parse(`${month}-01T00:00:00Z`)
    const toMs = new Date(fromMs).setUTCMonth(new Date(fromMs).getUTCMonth() + 1)
    const filters = [{ field: `dim:${TEAM_FACT}`, isExcluding: false, values: [null] }] as const
    const groupBy = ['api_key'] as const
    const [answer] = await usage.analyze([
      { fromMs, toMs, interval: 'none', groupBy, filters, hasLatencies: false },
    ])
    for (const { groups, figures } of answer?.sums ?? []) {
      const [key] = groups
      if (key?.kind !== 'value' || !keyIds.has(key.value)) continue
      const { calls, cost } = unbooked.get(month) ?? NO_CALLS
      const forwarded = calls + figures.requests
      unbooked.set(month, { calls: forwarded, forwarded, cost: cost + figures.cost })
    }
  }
  return unbooked
}

/** What was without a team, and is not among what was booked. */
export function listGone(unbooked: CallSums, booked: CallSums): TeamAdoptionAnswer['gone'] {
  return Array.from(unbooked).flatMap(([month, sum]) => {
    const { forwarded, cost } = booked.get(month) ?? NO_CALLS
    // Calls that came meanwhile were booked, too.
    if (sum.forwarded <= forwarded) return []
    return [{ month, ...toSum({ calls: sum.forwarded - forwarded, cost: sum.cost - cost }) }]
  })
}

/** Values of the dimension that callers sent and no key has, the most expensive first. */
export async function readNoKey(
  usage: UsageStore,
  dim: string,
  values: ReadonlySet<string>,
): Promise<TeamAdoptionAnswer['no_key']> {
  const sums = await usage.sum({
    period: ALL_MONTHS,
    grouping: { by: 'dim', dimKey: dim },
    keyId: null,
    largest: NO_KEY_MAX + values.size,
  })
  const others = sums.filter(({ label }) => label !== null && !values.has(label))
  return others
    .toSorted((one, other) => (one.cost < other.cost ? 1 : -1))
    .slice(0, NO_KEY_MAX)
    .map(({ label, requests: calls, cost }) => ({ value: label ?? '', ...toSum({ calls, cost }) }))
}
