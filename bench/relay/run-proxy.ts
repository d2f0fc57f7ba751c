// The relay by itself in a process, with metering or without: everything but the reading of calls
// and the journal is the same in both, so that the difference between them is what metering costs.
// Weir has no such setting; its users run it as weir.ts does.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createMeter } from '../../src/app/meter.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createKeyCredential, formatCredential } from '../../src/core/ids.ts'
import type { JournalWriter } from '../../src/journal/journal.ts'
import { openJournalWriter } from '../../src/journal/writer.ts'
import { gateway } from '../../src/providers/gateway.ts'
import { guardProvider } from '../../src/providers/guarded-provider.ts'
import { unmeteredOperation } from '../../src/providers/shapes/unmetered-operation.ts'
import { Estimates } from '../../src/estimates/estimates.ts'
import { RefusalQuota } from '../../src/limits/refusal-quota.ts'
import { listen } from '../../src/proxy/listen.ts'
import type { ProxyLimits } from '../../src/proxy/services.ts'
import { openDeadlines } from '../../src/proxy/deadlines.ts'
import { createUpstreamConnector } from '../../src/proxy/upstream-connector.ts'
import { UpstreamPool } from '../../src/proxy/upstream-pool.ts'
import type { FromProxy } from './messages.ts'
import { createLocalLimiter } from '../../test/fakes/local-limiter.ts'
import { createTestKey } from '../../test/fakes/test-key.ts'

const upstreamPort = Number(process.argv[2])
const isMetering = process.argv[3] !== 'off'
const isRecordingFirst = process.argv[3] === 'first'

// Weir's own defaults.
const LIMITS: ProxyLimits = {
  connectionsMax: 10_000,
  headBytesMax: 65_536,
  headersMax: 128,
  headTimeoutMs: 15_000,
  bodyTimeoutMs: 60_000,
  idleTimeoutMs: 75_000,
  firstByteTimeoutMs: 600_000,
  tunnelIdleTimeoutMs: 3_600_000,
  streamIdleTimeoutMs: 600_000,
  tapBytesMax: 33_554_432,
  policyBodyBytesMax: 33_554_432,
  policyBufferBytesMax: 268_435_456,
  policyPaceBytesMin: 65_536,
}
const UPSTREAM_LIMITS = { connectTimeoutMs: 10_000, idleTimeoutMs: 15_000, connectionsMax: 1024 }
const JOURNAL_LIMITS = {
  fsync: 'interval',
  fsyncIntervalMs: 100,
  segmentBytesMax: 67_108_864,
  segmentSecondsMax: 3600,
  bufferBytesMax: 16_777_216,
} as const

const NO_JOURNAL: JournalWriter = {
  append: (source, written) => {
    if (typeof source === 'function') source()
    written?.()
  },
  canOpen: () => true,
  fault: () => null,
  close: async () => {},
}

const meter = createMeter()
const clock = systemClock
const dir = mkdtempSync(join(tmpdir(), 'weir-bench-proxy-'))
const journal = isMetering
  ? openJournalWriter({ dir, worker: 'w0', ...JOURNAL_LIMITS, meter })
  : NO_JOURNAL
const credential = createKeyCredential()
const key = createTestKey(credential)
const deadlines = openDeadlines([LIMITS.idleTimeoutMs, UPSTREAM_LIMITS.idleTimeoutMs], clock)
const origin = new URL(`http://127.0.0.1:${upstreamPort}`)
const connector = createUpstreamConnector({ origin })
const pool = new UpstreamPool({ connector, ...UPSTREAM_LIMITS, clock, meter })
deadlines.add(pool)
// An operation that is not known would be read, in case its answer has a usage.
const unread = unmeteredOperation({ name: 'unread', path: /^/ })
const unguarded = isMetering ? gateway : { ...gateway, operations: [unread] }
const provider = guardProvider(unguarded, { meter, warn: () => {} })
const listener = await listen({
  at: { host: '127.0.0.1', port: 0 },
  services: {
    routes: new Map([
      [
        provider.id,
        { provider, upstream: { host: origin.host, basePath: '', pool }, credentials: null },
      ],
    ]),
    findKey: (id) => (id === key.id ? key : undefined),
    awaitKey: () => null,
    limiter: createLocalLimiter({ clock, meter }).limiter,
    dimsOnInvalid: 'reject',
    openBodyDims: null,
    journal,
    refusalQuota: new RefusalQuota({ perMinute: 60, clock, meter, warn: () => {} }),
    readTrace: () => undefined,
    recordsFirst: isRecordingFirst,
    limits: LIMITS,
    deadlines,
    clock,
    meter,
    estimates: isMetering ? new Estimates({ estimate: (_, done) => done(null), meter }) : null,
    logCall: null,
    readinessFault: () => null,
    readinessWarning: () => null,
  },
})

async function end(): Promise<void> {
  await listener.drain({ timeoutMs: 0, idleMs: 0 })
  pool.close()
  deadlines.close()
  await journal.close()
  rmSync(dir, { recursive: true })
  process.exit(0)
}

function report(): void {
  const lines = meter.samples().find((sample) => sample.metric === 'journalLines')?.value ?? 0
  const message: FromProxy = {
    port: listener.port,
    credential: formatCredential(credential),
    journalLines: lines,
  }
  process.send?.(message)
}

process.on('message', report)
process.once('SIGTERM', () => void end())
process.once('disconnect', () => void end())
report()
