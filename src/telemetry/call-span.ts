// A stored call as a span. Its ids come from the call's own, so that a span is found by its
// X-SVC-Request-Id, and one that was sent twice is the same span.

import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api'
import type { HrTime, SpanContext } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { UsageEvent } from '../core/usage-event.ts'
import type { UsageRecord } from '../core/usage-record.ts'
import { toTraceParent } from '../wire/http/trace-parent.ts'
import { toCallAttributes, toCommonAttributes, toErrorType } from './call-attributes.ts'
import type { Servers } from './call-attributes.ts'

export interface SpanSource {
  readonly resource: Resource
  readonly scope: { readonly name: string; readonly version: string }
  readonly servers: Servers
}

/** A caller that does not keep its own spans of a trace would be left with ours alone. */
export function isSampled({ trace }: UsageEvent): boolean {
  return trace === undefined || toTraceParent(trace).isSampled
}

export function toCallSpan(record: UsageRecord, source: SpanSource): ReadableSpan {
  const { event } = record
  const attributes = toCommonAttributes(event, source.servers)
  const errorType = toErrorType(event)
  const { context, parent } = toContexts(event)
  const endedAt = Math.max(event.startedAt, event.endedAt)
  return {
    name: [attributes['gen_ai.operation.name'], event.requestedModel ?? ''].join(' ').trim(),
    kind: SpanKind.CLIENT,
    spanContext: () => context,
    ...(parent === null ? {} : { parentSpanContext: parent }),
    startTime: toHrTime(event.startedAt),
    endTime: toHrTime(endedAt),
    duration: toHrTime(endedAt - event.startedAt),
    status:
      errorType === null
        ? { code: SpanStatusCode.UNSET }
        : { code: SpanStatusCode.ERROR, message: errorType },
    attributes: { ...attributes, ...toCallAttributes(record) },
    links: [],
    events: [],
    ended: true,
    resource: source.resource,
    instrumentationScope: source.scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

interface Contexts {
  readonly context: SpanContext
  /** Null for the root of a trace of its own. */
  readonly parent: SpanContext | null
}

const SPAN_ID_CHARACTERS = 16

function toContexts({ id, trace }: UsageEvent): Contexts {
  const digits = id.replaceAll('-', '')
  const traceFlags = TraceFlags.SAMPLED
  // The second half of a UUIDv7 is random.
  const spanId = digits.slice(-SPAN_ID_CHARACTERS)
  if (trace === undefined) return { context: { traceId: digits, spanId, traceFlags }, parent: null }
  const { traceId, spanId: parentId } = toTraceParent(trace)
  return {
    context: { traceId, spanId, traceFlags },
    parent: { traceId, spanId: parentId, traceFlags, isRemote: true },
  }
}

function toHrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), Math.round((ms % 1000) * 1_000_000)]
}
