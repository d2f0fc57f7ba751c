// A collector on loopback that takes OTLP over HTTP in protobuf, decoded by another library than
// the one that wrote it. What it answers is decided by the test.

import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import protobuf from 'protobufjs'

import { systemClock } from '../../../src/core/clock.ts'

export type AttributeMap = Readonly<Record<string, string | number | boolean>>

export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the root of a trace. */
  readonly parentSpanId: string
  readonly name: string
  readonly kind: number
  readonly startMs: number
  readonly endMs: number
  /** 0 is unset, 2 an error. */
  readonly statusCode: number
  readonly attributes: AttributeMap
  readonly resource: AttributeMap
}

export interface CollectedPoint {
  readonly attributes: AttributeMap
  /** Of a histogram: the sum of what was recorded. */
  readonly value: number
  /** Of a histogram: how many were recorded. */
  readonly count: number
  readonly bounds: readonly number[]
}

export interface OtlpCollector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** By name and unit, as the last export has them. */
  readonly metrics: Map<string, readonly CollectedPoint[]>
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[]
  /** All bytes that came. */
  readonly bytes: Buffer[]
  /** `hang`: no answer at all. */
  answer: number | 'hang'
  untilSpans(count: number): Promise<void>
  close(): Promise<void>
}

const WAIT_MS_MAX = 120_000
const schema = protobuf.loadSync(fileURLToPath(new URL('./otlp.proto', import.meta.url)))

export async function openOtlpCollector(): Promise<OtlpCollector> {
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat((await request.toArray()) as Buffer[])
    const path = request.url ?? ''
    collector.requests.push({ path, headers: request.headers })
    const { answer } = collector
    if (answer === 'hang') return
    if (answer === 200) take(collector, path, body)
    response.writeHead(answer, { 'content-type': 'application/x-protobuf' })
    response.end()
  }
  const server = createServer((request, response) => {
    // A sender may break off in the middle.
    receive(request, response).catch(() => request.destroy())
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const collector: OtlpCollector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    metrics: new Map(),
    requests: [],
    bytes: [],
    answer: 200,
    untilSpans: async (count) => {
      const until = systemClock.monotonic() + WAIT_MS_MAX
      while (collector.spans.length < count) {
        if (systemClock.monotonic() > until) {
          throw new Error(`${collector.spans.length} spans of ${count} came`)
        }
        await pause(10)
      }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return collector
}

function take(collector: OtlpCollector, path: string, body: Buffer): void {
  collector.bytes.push(body)
  if (path.endsWith('/v1/traces')) collector.spans.push(...readSpans(body))
  if (path.endsWith('/v1/metrics')) {
    for (const [name, points] of readMetrics(body)) collector.metrics.set(name, points)
  }
}

interface Pair {
  readonly key: string
  readonly value: Readonly<Record<string, string | number | boolean>>
}

interface Traces {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Pair[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: Uint8Array
        readonly spanId: Uint8Array
        readonly parentSpanId?: Uint8Array
        readonly name: string
        readonly kind: number
        readonly startTimeUnixNano: string
        readonly endTimeUnixNano: string
        readonly attributes?: readonly Pair[]
        readonly status?: { readonly code?: number }
      }[]
    }[]
  }[]
}

function readSpans(body: Buffer): CollectedSpan[] {
  const { resourceSpans } = decode<Traces>('Traces', body)
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        traceId: toHex(span.traceId),
        spanId: toHex(span.spanId),
        parentSpanId: toHex(span.parentSpanId),
        name: span.name,
        kind: span.kind,
        startMs: toMs(span.startTimeUnixNano),
        endMs: toMs(span.endTimeUnixNano),
        statusCode: span.status?.code ?? 0,
        attributes: toMap(span.attributes),
        resource: toMap(resource.attributes),
      })),
  )
}

interface DataPoint {
  readonly attributes?: readonly Pair[]
  readonly asDouble?: number
  readonly asInt?: string
  readonly count?: string
  readonly sum?: number
  readonly explicitBounds?: readonly number[]
}

interface Metrics {
  readonly resourceMetrics: readonly {
    readonly scopeMetrics: readonly {
      readonly metrics: readonly {
        readonly name: string
        readonly unit: string
        readonly sum?: { readonly dataPoints: readonly DataPoint[] }
        readonly histogram?: { readonly dataPoints: readonly DataPoint[] }
      }[]
    }[]
  }[]
}

function readMetrics(body: Buffer): [string, CollectedPoint[]][] {
  const { resourceMetrics } = decode<Metrics>('Metrics', body)
  const all = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics)
  return all
    .flatMap(({ metrics }) => metrics)
    .map(({ name, unit, sum, histogram }) => {
      const points = (sum ?? histogram)?.dataPoints ?? []
      return [`${name} ${unit}`, points.map(toPoint)]
    })
}

function toPoint(point: DataPoint): CollectedPoint {
  return {
    attributes: toMap(point.attributes),
    value: point.sum ?? point.asDouble ?? Number(point.asInt ?? 0),
    count: Number(point.count ?? 0),
    bounds: point.explicitBounds ?? [],
  }
}

function decode<Shape>(name: string, body: Buffer): Shape {
  const type = schema.lookupType(name)
  return type.toObject(type.decode(body), { longs: String, arrays: true }) as Shape
}

function toMap(pairs: readonly Pair[] = []): AttributeMap {
  return Object.fromEntries(
    pairs.map(({ key, value: { intValue, ...others } }) => {
      const [value = ''] = intValue === undefined ? Object.values(others) : [Number(intValue)]
      return [key, value]
    }),
  )
}

function toHex(bytes: Uint8Array = new Uint8Array()): string {
  return Buffer.from(bytes).toString('hex')
}

function toMs(nanos: string): number {
  return Number(BigInt(nanos) / 1_000_000n)
}
