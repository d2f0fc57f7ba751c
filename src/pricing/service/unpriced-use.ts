// What the calls without a cost used, by model, from the request log: sums do not keep it apart.
// Must stay true: only so many calls are read, however long the log is.

import { setImmediate } from 'node:timers/promises'
import { totalTokens } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { RequestLog, RequestPage } from '../../store/usage/request-log.ts'

export interface UnpricedUse {
  readonly calls: number
  readonly tokens: number
  /** What a price has to cover, as price rules name it: `input`, `output`, `image`. */
  readonly units: ReadonlySet<string>
}

const PAGES_MAX = 40
const PAGE_CALLS_MAX = 1000

type Sum = { calls: number; tokens: number; readonly units: Set<string> }

/** Newest first. Under the name that `toUseName` gives. */
export async function readUnpricedUse(
  requests: Pick<RequestLog, 'list'>,
  fromMs: number,
): Promise<ReadonlyMap<string, UnpricedUse>> {
  const sums = new Map<string, Sum>()
  const filter = { ...ALL_REQUESTS, fromMs, source: 'unpriced' } as const
  let before: string | null = null
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { records, next }: RequestPage = await requests.list(filter, {
      before,
      rowsMax: PAGE_CALLS_MAX,
    })
    for (const { event } of records) if (event.status !== 'denied') add(sums, event)
    if (next === null) break
    before = next
    // The store answers without leaving the thread: other work on it needs a turn.
    await setImmediate()
  }
  return sums
}

export function toUseName(provider: string, model: string | null): string {
  return JSON.stringify([provider, model ?? ''])
}

function add(sums: Map<string, Sum>, { provider, model, tokens, toolCalls }: UsageEvent): void {
  const name = toUseName(provider, model)
  const sum = sums.get(name) ?? { calls: 0, tokens: 0, units: new Set<string>() }
  sums.set(name, sum)
  sum.calls += 1
  if (tokens !== null) {
    sum.tokens += totalTokens(tokens)
    if (tokens.input > 0) sum.units.add('input')
    if (tokens.output > 0) sum.units.add('output')
  }
  for (const [kind, count] of Object.entries(toolCalls)) if (count > 0) sum.units.add(kind)
}
