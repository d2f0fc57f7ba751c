// How the providers did in the last hour. Must stay true: calls that Weir refused are not counted.

import type { CallGlance } from '../../store/usage/request-log.ts'
import type { ProviderHealth } from '../contract.ts'

export interface ProviderAddress {
  readonly id: string
  readonly url: string
  /** Null for built-in providers. */
  readonly shape: string | null
  /** One is stored for it. */
  readonly hasCredential: boolean
}

/** In the order of the addresses; `calls` newest first. Calls to other providers are ignored. */
export function toProviderHealth(
  addresses: readonly ProviderAddress[],
  calls: readonly CallGlance[],
): ProviderHealth[] {
  const byProvider = new Map<string, CallGlance[]>(addresses.map(({ id }) => [id, []]))
  for (const call of calls) {
    if (call.status !== 'denied') byProvider.get(call.provider)?.push(call)
  }
  return addresses.map(({ id, url, shape, hasCredential }) => {
    const figures = toFigures(byProvider.get(id) ?? [])
    return { id, url, shape, has_credential: hasCredential, ...figures }
  })
}

type HealthFigures = Omit<ProviderHealth, 'id' | 'url' | 'shape' | 'has_credential'>

function toFigures(calls: readonly CallGlance[]): HealthFigures {
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

/** The clock may have been set back. */
function toFirstByteMs({ startedAt, firstByteAt }: CallGlance): readonly number[] {
  return firstByteAt === null ? [] : [Math.max(0, firstByteAt - startedAt)]
}

/** The lower of the middle two; null for no values. */
function toMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? null
}
