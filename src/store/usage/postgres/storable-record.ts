// A record with texts that PostgreSQL can store. It is made once, before a record is summed, so
// that rows and sums have the same names.

import type { UsageEvent } from '../../../core/usage-event.ts'
import type { UsageRecord } from '../../../core/usage-record.ts'
import { isStorableText, toStorableText } from '../../sql/storable-text.ts'

/** Nearly always the record itself. */
export function toStorableRecord(record: UsageRecord): UsageRecord {
  return isStorable(record) ? record : mapTexts(record)
}

// The texts that callers and providers write, and those in objects. A check of what Weir itself
// writes, such as the status, costs more than it is worth.
function isStorable({ event, cost }: UsageRecord): boolean {
  const { dims, toolCalls, agent } = event
  for (const key in dims) if (!isFine(key) || !isFine(dims[key])) return false
  for (const key in toolCalls) if (!isFine(key)) return false
  if (agent !== undefined && !Object.values(agent).every(isFine)) return false
  return (
    isFine(event.model) &&
    isFine(event.requestedModel) &&
    isFine(event.keyId) &&
    isFine(event.provider) &&
    isFine(event.operation) &&
    isFine(event.errorCode) &&
    isFine(event.serviceTier) &&
    isFine(event.countedAs) &&
    isFine(event.violation) &&
    isFine(event.region) &&
    isFine(event.providerError) &&
    isFine(cost.priceVersion) &&
    isFine(event.billing?.generationId) &&
    (event.shares?.every(({ model }) => isFine(model)) ?? true)
  )
}

/** What is no text is judged where the row is made. */
function isFine(value: unknown): boolean {
  return typeof value !== 'string' || isStorableText(value)
}

function mapTexts({ event, cost }: UsageRecord): UsageRecord {
  return { event: mapValue(event) as UsageEvent, cost: mapValue(cost) as UsageRecord['cost'] }
}

function mapValue(value: unknown): unknown {
  if (typeof value === 'string') return toStorableText(value)
  if (Array.isArray(value)) return value.map(mapValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [toStorableText(key), mapValue(inner)]),
  )
}
