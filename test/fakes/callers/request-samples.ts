// Some hundreds of calls of every kind for the request log, always the same, and what a filter lets
// through of them, written down as plainly as can be: tests hold the real thing against it.

import { createRequestId } from '../../../src/core/ids.ts'
import type { CallStatus } from '../../../src/core/usage-event.ts'
import type { CostSource, UsageRecord } from '../../../src/core/usage-record.ts'
import type { RequestFilter } from '../../../src/store/usage/request-log.ts'
import { createRecord } from '../../contracts/usage-scene.ts'

export const SAMPLES_FROM = Date.parse('2026-03-14T22:00:00.000Z')
/** Some calls share a moment. */
const STEP_MS = 45_000

export const SAMPLE_VALUES = {
  keyId: ['svc_k_aaaaaaaa', 'svc_k_aaaaaaab', 'svc_k_bbbbbbbb', null],
  provider: ['north', 'south', 'no-such%one'],
  model: [
    'maker/Large-1',
    'maker/large-12',
    'maker/small_1',
    'makerXsmall-1',
    '[a]*b?',
    'é%',
    null,
  ],
  dims: [
    {},
    { team: 'search' },
    { team: 'Search', env: 'prod' },
    { env: 'search', 'team.name': 'search' },
    { team: 'a"b\\c%_é', env: 'team' },
    { team: '{"env":"prod"}' },
  ],
  status: ['delivered', 'refused', 'aborted', 'cut', 'interrupted', 'denied'],
  source: ['gateway', 'provider', 'byok-zero', 'price-book', 'override', 'unpriced', 'free'],
} as const

/** A linear congruence: chance enough to mix, and the same on every run. */
export function createPicks(seed: number) {
  let state = seed
  const below = (bound: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * bound)
  }
  return { below, of: <Value>(values: readonly Value[]) => values[below(values.length)] as Value }
}

/** Oldest first. */
export function createRequestSamples(count: number): readonly UsageRecord[] {
  const picks = createPicks(1)
  return Array.from({ length: count }, (_, index) => {
    const startedAt = SAMPLES_FROM + Math.floor(index / 3) * STEP_MS
    return createSample(startedAt, picks)
  })
}

function createSample(startedAt: number, picks: ReturnType<typeof createPicks>): UsageRecord {
  const source: CostSource = picks.of(SAMPLE_VALUES.source)
  const status: CallStatus = picks.of(SAMPLE_VALUES.status)
  return createRecord(
    {
      id: createRequestId(startedAt),
      startedAt,
      endedAt: startedAt + picks.below(60_000),
      keyId: picks.of(SAMPLE_VALUES.keyId),
      provider: picks.of(SAMPLE_VALUES.provider),
      model: picks.of(SAMPLE_VALUES.model),
      dims: picks.of<Readonly<Record<string, string>>>(SAMPLE_VALUES.dims),
      status,
    },
    { source, amount: source === 'unpriced' ? null : BigInt(picks.below(1_000_000)) },
  )
}

/** Newest first, as the log gives them. */
export function filterSamples(
  records: readonly UsageRecord[],
  filter: RequestFilter,
): readonly UsageRecord[] {
  return records
    .filter((record) => isAskedFor(record, filter))
    .toSorted((left, right) => (left.event.id > right.event.id ? -1 : 1))
}

function isAskedFor({ event, cost }: UsageRecord, filter: RequestFilter): boolean {
  const { fromMs, toMs, endedFromMs, endedToMs, keyId, provider, model, dim, status } = filter
  const { source, usage } = filter
  if (fromMs !== null && event.startedAt < fromMs) return false
  if (toMs !== null && event.startedAt >= toMs) return false
  if (endedFromMs !== null && event.endedAt < endedFromMs) return false
  if (endedToMs !== null && event.endedAt >= endedToMs) return false
  if (usage !== null && !toList(usage).includes(event.usage)) return false
  if (keyId !== null && !toList(keyId).includes(event.keyId ?? '')) return false
  if (provider !== null && !toList(provider).includes(event.provider)) return false
  if (status !== null && !toList(status).includes(event.status)) return false
  if (source !== null && !toList(source).includes(cost.source)) return false
  if (model !== null && !toList(model).some((each) => isLike(event.model, each))) return false
  if (dim === null) return true
  const value = event.dims[dim.key]
  return value !== undefined && (dim.value === null || toList(dim.value).includes(value))
}

function toList(wanted: string | readonly string[]): readonly string[] {
  return typeof wanted === 'string' ? [wanted] : wanted
}

function isLike(model: string | null, pattern: string): boolean {
  const parts = pattern.split('*').map((part) => RegExp.escape(part))
  return model !== null && new RegExp(`^${parts.join('.*')}$`, 'is').test(model)
}
