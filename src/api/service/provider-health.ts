// How the providers do, from the calls of the last hour. Must stay true: what Weir itself refused
// says nothing of a provider, and is not in it.

import type { CallGlance } from '../../store/usage/request-log.ts'
import type { ProviderHealth } from '../contract.ts'

/** Where a provider is reached. */
export interface ProviderAddress {
  readonly id: string
  readonly url: string
  /** Of one that the configuration adds: which it speaks. */
  readonly shape: string | null
}

/** In the order of the addresses; `calls` newest first, those to others are left out. */
export function toProviderHealth(
  addresses: readonly ProviderAddress[],
  calls: readonly CallGlance[],
): ProviderHealth[] {
  const byProvider = new Map<string, CallGlance[]>(addresses.map(({ id }) => [id, []]))
  for (const call of calls) {
    if (call.status !== 'denied') byProvider.get(call.provider)?.push(call)
  }
  return addresses.map(({ id, url, shape }) => {
    return { id, url, shape, ...toFigures(byProvider.get(id) ?? []) }
  })
}

function toFigures(calls: readonly CallGlance[]): Omit<ProviderHealth, 'id' | 'url' | 'shape'> {
  const [newest] = calls
  return {
    calls: calls.length,
    failures: calls.filter(isFailure).length,
    refusals: calls.filter(isRefusal).length,
    first_byte_ms: toMedian(calls.flatMap(toFirstByteMs)),
    last_call_at: newest === undefined ? null : new Date(newest.startedAt).toISOString(),
  }
}

function isFailure({ status, httpStatus }: CallGlance): boolean {
  return status === 'cut' || (httpStatus ?? 0) >= 500
}

function isRefusal(call: CallGlance): boolean {
  return !isFailure(call) && (call.httpStatus ?? 0) >= 400
}

/** The machine's clock may have been set back meanwhile. */
function toFirstByteMs({ startedAt, firstByteAt }: CallGlance): readonly number[] {
  return firstByteAt === null ? [] : [Math.max(0, firstByteAt - startedAt)]
}

/** The lower one of the two in the middle; null of nothing. */
function toMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null
}
