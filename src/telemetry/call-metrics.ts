// Stored calls as metrics. Must stay true: the number of series is bounded by the library, whatever
// models and dimensions callers make up; beyond that they are added up as `otel.metric.overflow`.

import type { Attributes, Meter } from '@opentelemetry/api'
import type { UsageRecord } from '../core/usage-record.ts'
import { secondsBetween, toCommonAttributes, toDimAttributes, toUsd } from './call-attributes.ts'
import type { Servers } from './call-attributes.ts'

export interface CallMetricsOptions {
  readonly meter: Meter
  readonly servers: Servers
  /** Dimensions that become attributes: the operator knows which have few values. */
  readonly dims: readonly string[]
}

/** The bounds that the conventions ask for. */
const DURATION_BOUNDS = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power)
const TOKEN_BOUNDS = Array.from({ length: 14 }, (_, power) => 4 ** power)

/** Returns what takes each call. */
export function createCallMetrics(options: CallMetricsOptions): (record: UsageRecord) => void {
  const { meter, servers, dims } = options
  const duration = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'GenAI operation duration.',
    unit: 's',
    advice: { explicitBucketBoundaries: DURATION_BOUNDS },
  })
  const tokenUsage = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: TOKEN_BOUNDS },
  })
  const cost = meter.createCounter('weir.cost', {
    description: 'Cost of calls in USD, where it is known.',
    unit: '{USD}',
  })
  return (record) => {
    const { event } = record
    // What Weir refused counts in no figure.
    if (event.status === 'denied') return
    const attributes: Attributes = {
      ...toCommonAttributes(event, servers),
      ...toDimAttributes(event, dims),
    }
    // When an interrupted call ended is not known, only when that was found.
    if (event.status !== 'interrupted') {
      duration.record(secondsBetween(event, event.endedAt), attributes)
    }
    if (event.tokens !== null) {
      tokenUsage.record(event.tokens.input, { ...attributes, 'gen_ai.token.type': 'input' })
      tokenUsage.record(event.tokens.output, { ...attributes, 'gen_ai.token.type': 'output' })
    }
    const usd = toUsd(record.cost)
    if (usd !== null) cost.add(usd, { ...attributes, 'weir.cost.source': record.cost.source })
  }
}
