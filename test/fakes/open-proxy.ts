// The proxy in this process, without the program around it: real sockets, a real journal in a
// temporary directory, one key, and the routes a test asks for.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import type { ApiKey } from '../../src/core/api-key.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Clock } from '../../src/core/clock.ts'
import { createKeyCredential, formatCredential } from '../../src/core/ids.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { JournalEntry, JournalWriter } from '../../src/journal/journal.ts'
import { openJournalReader } from '../../src/journal/reader.ts'
import { openJournalWriter } from '../../src/journal/writer.ts'
import { createMeter } from '../../src/app/meter.ts'
import type { CountingMeter } from '../../src/app/meter.ts'
import { defineProvider } from '../../src/providers/provider.ts'
import { guardProvider } from '../../src/providers/guarded-provider.ts'
import type { GuardOptions } from '../../src/providers/guarded-provider.ts'
import type { Provider } from '../../src/providers/provider.ts'
import { Estimates } from '../../src/estimates/estimates.ts'
import type { Estimate } from '../../src/estimates/estimates.ts'
import { RefusalQuota } from '../../src/limits/refusal-quota.ts'
import { createBodyDims } from '../../src/proxy/body-dims.ts'
import { listen } from '../../src/proxy/listen.ts'
import type { ListenTls } from '../../src/proxy/caller-server.ts'
import type { Listener } from '../../src/proxy/listen.ts'
import type { StoredCredentials } from '../../src/policy/stored-credentials.ts'
import type { Route } from '../../src/proxy/route.ts'
import type { ProxyLimits, ProxyServices } from '../../src/proxy/services.ts'
import { openDeadlines } from '../../src/proxy/deadlines.ts'
import { createUpstreamConnector } from '../../src/proxy/upstream-connector.ts'
import type {
  UpstreamConnector,
  UpstreamConnectorOptions,
} from '../../src/proxy/upstream-connector.ts'
import { UpstreamPool } from '../../src/proxy/upstream-pool.ts'
import type { OnOutage } from '../../src/limits/call-reservation.ts'
import { createLocalLimiter } from './local-limiter.ts'
import type { LocalLimiter } from './local-limiter.ts'
import { createTestKey } from './test-key.ts'

export interface TestProxy {
  readonly port: number
  /** Where its journal lies. */
  readonly dir: string
  /** The value of X-SVC-API-Key. */
  readonly credential: string
  readonly meter: CountingMeter
  /** The fields of every line that was logged. */
  readonly logged: readonly object[]
  /** The fields of every warning. */
  readonly warned: readonly object[]
  key: ApiKey
  /** The limit bank, and what the worker and it say to each other. */
  readonly local: LocalLimiter
  /** What is in the journal now. */
  readonly entries: () => Promise<JournalEntry[]>
  /** The usage events in it, once there are as many as asked for. */
  readonly events: (count: number) => Promise<UsageEvent[]>
  readonly drain: Listener['drain']
  readonly close: () => Promise<void>
}

export interface TestProxyOptions {
  /** Provider id to upstream address. */
  readonly upstreams: Readonly<Record<string, string>>
  readonly providers?: readonly Provider[]
  /** Provider id to the region that the operator states. */
  readonly regions?: Readonly<Record<string, string>>
  /** Provider id to what the operator stored for it. */
  readonly credentials?: Readonly<Record<string, StoredCredentials>>
  readonly key?: Partial<ApiKey>
  /** Other keys than that one. */
  readonly findKey?: ProxyServices['findKey']
  readonly awaitKey?: ProxyServices['awaitKey']
  readonly agentGateway?: ProxyServices['agentGateway']
  readonly limits?: Partial<ProxyLimits>
  readonly dimsOnInvalid?: 'reject' | 'drop'
  readonly openBodyDims?: ProxyServices['openBodyDims']
  readonly agents?: ProxyServices['agents']
  /** Certificates for callers; without them the port speaks plain HTTP. */
  readonly tls?: ListenTls
  /** How upstreams are reached. */
  readonly outgoing?: Partial<UpstreamConnectorOptions>
  /** Put around each connector, to see or change what it does. */
  readonly aroundConnector?: (connector: UpstreamConnector) => UpstreamConnector
  readonly connectTimeoutMs?: number
  readonly upstreamIdleTimeoutMs?: number
  readonly connectionsMax?: number
  readonly journal?: JournalWriter
  readonly recordsFirst?: boolean
  readonly readTrace?: ProxyServices['readTrace']
  /** As many as a test may make, unless it says otherwise. */
  readonly refusalsPerMinute?: number
  readonly onOutage?: OnOutage
  /** What calls are dated by. */
  readonly clock?: Clock
  /** What time limits are measured by. */
  readonly limitsClock?: Clock
  /** Counts the tokens that were not reported; without it they are not counted. */
  readonly estimate?: Estimate
  /** What may be kept of texts for that, over all calls. */
  readonly estimateBytesMax?: number
  /** False where there are too many calls to keep a line of each. */
  readonly isLogging?: boolean
}

const LIMITS: ProxyLimits = {
  connectionsMax: 1000,
  headBytesMax: 65_536,
  headersMax: 128,
  headTimeoutMs: 15_000,
  bodyTimeoutMs: 60_000,
  idleTimeoutMs: 75_000,
  firstByteTimeoutMs: 60_000,
  streamIdleTimeoutMs: 60_000,
  tunnelIdleTimeoutMs: 3_600_000,
  tapBytesMax: 33_554_432,
  policyBodyBytesMax: 33_554_432,
  policyBufferBytesMax: 268_435_456,
  policyPaceBytesMin: 65_536,
}

/** Only what hangs takes so long. */
const EVENTS_WAIT_MS = 30_000

export async function openTestProxy(options: TestProxyOptions): Promise<TestProxy> {
  const dir = mkdtempSync(join(tmpdir(), 'weir-proxy-'))
  const meter = createMeter()
  const writer =
    options.journal ??
    openJournalWriter({
      dir,
      worker: 'w0',
      fsync: 'never',
      fsyncIntervalMs: 100,
      segmentBytesMax: 1_000_000,
      segmentSecondsMax: 3600,
      bufferBytesMax: 1_000_000,
      meter,
    })
  const credential = createKeyCredential()
  const logged: object[] = []
  const warned: object[] = []
  const proxy = { key: createTestKey(credential, options.key) }
  const limits = { ...LIMITS, ...options.limits }
  const { headTimeoutMs, bodyTimeoutMs, idleTimeoutMs } = limits
  const { firstByteTimeoutMs, streamIdleTimeoutMs, tunnelIdleTimeoutMs } = limits
  const limitsMs = [headTimeoutMs, bodyTimeoutMs, idleTimeoutMs]
  limitsMs.push(firstByteTimeoutMs, streamIdleTimeoutMs, tunnelIdleTimeoutMs)
  if (options.upstreamIdleTimeoutMs !== undefined) limitsMs.push(options.upstreamIdleTimeoutMs)
  const deadlines = openDeadlines(limitsMs, options.limitsClock ?? systemClock)
  const routes = createTestRoutes(options, { meter, warn: (fields) => void warned.push(fields) })
  const clock = options.clock ?? systemClock
  const refusalQuota = new RefusalQuota({
    perMinute: options.refusalsPerMinute ?? 1_000_000,
    clock,
    meter,
    warn: (fields) => void warned.push(fields),
  })
  deadlines.add(refusalQuota)
  const local = createLocalLimiter({ clock, meter, onOutage: options.onOutage })
  for (const route of routes.values()) deadlines.add(route.upstream.pool)
  const listener = await listen({
    at: { host: '127.0.0.1', port: 0 },
    tls: options.tls,
    services: {
      routes,
      findKey: options.findKey ?? ((id) => (id === proxy.key.id ? proxy.key : undefined)),
      awaitKey: options.awaitKey ?? (() => null),
      limiter: local.limiter,
      agentGateway: options.agentGateway ?? null,
      dimsOnInvalid: options.dimsOnInvalid ?? 'reject',
      openBodyDims: options.openBodyDims ?? createBodyDims([]),
      agents: options.agents ?? null,
      journal: writer,
      refusalQuota,
      readTrace: options.readTrace ?? (() => undefined),
      recordsFirst: options.recordsFirst ?? false,
      limits,
      deadlines,
      clock,
      meter,
      estimates: createEstimates(options, meter),
      logCall: options.isLogging === false ? null : (fields) => void logged.push(fields),
      readinessFault: () => null,
      readinessWarning: () => null,
    },
  })
  const reader = openJournalReader({ dir })
  const entries = async (): Promise<JournalEntry[]> =>
    (await reader.read([], 100_000)).lines.map((line) => line.entry)

  async function events(count: number): Promise<UsageEvent[]> {
    const until = systemClock.monotonic() + EVENTS_WAIT_MS
    for (;;) {
      const found = (await entries()).flatMap((entry) =>
        entry.kind === 'close' ? [entry.event] : [],
      )
      if (found.length >= count || systemClock.monotonic() > until) return found
      // Each look reads the journal: at every turn, it would take the processor from others.
      await pause(1)
    }
  }

  return Object.assign(proxy, {
    port: listener.port,
    dir,
    credential: formatCredential(credential),
    meter,
    local,
    logged,
    warned,
    entries,
    events,
    drain: listener.drain,
    close: async () => {
      await listener.drain({ timeoutMs: 0, idleMs: 0 })
      for (const route of routes.values()) route.upstream.pool.close()
      deadlines.close()
      await writer.close()
      rmSync(dir, { recursive: true })
      assertEndedOnce(meter)
    },
  })
}

function assertEndedOnce(meter: CountingMeter): void {
  for (const { metric, value } of meter.samples()) {
    const isOpen = metric === 'openCalls' || metric === 'openStreams'
    assert.ok(!isOpen || value >= 0, `${metric} is ${value} after the last call`)
  }
}

function createEstimates(options: TestProxyOptions, meter: CountingMeter): Estimates | null {
  const { estimate, estimateBytesMax: bytesMax } = options
  if (estimate === undefined) return null
  return new Estimates({ estimate, meter, ...(bytesMax === undefined ? {} : { bytesMax }) })
}

function createTestRoutes(options: TestProxyOptions, guard: GuardOptions): Map<string, Route> {
  const routes = new Map<string, Route>()
  for (const [id, address] of Object.entries(options.upstreams)) {
    const url = new URL(address)
    const origin = new URL(url.origin)
    const connector = createUpstreamConnector({ origin, ...options.outgoing })
    const pool = new UpstreamPool({
      connector: options.aroundConnector?.(connector) ?? connector,
      connectTimeoutMs: options.connectTimeoutMs ?? 5000,
      idleTimeoutMs: options.upstreamIdleTimeoutMs ?? 15_000,
      connectionsMax: options.connectionsMax ?? 100,
      clock: options.limitsClock ?? systemClock,
      meter: guard.meter,
    })
    const unguarded =
      options.providers?.find((candidate) => candidate.id === id) ??
      defineProvider({ id, upstream: address, operations: [] })
    const basePath = url.pathname.replace(/\/+$/, '')
    const provider = guardProvider(unguarded, guard)
    const upstream = { host: url.host, basePath, pool }
    const credentials = options.credentials?.[id] ?? null
    routes.set(id, { provider, upstream, region: options.regions?.[id], credentials })
  }
  return routes
}
