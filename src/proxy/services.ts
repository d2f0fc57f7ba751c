// What the relay works with, put together by app. Only the limiter may wait on a request's path,
// and a key that is not known yet; neither for long.

import type { Agents } from '../agents/agents.ts'
import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'
import type { JournalWriter } from '../journal/journal.ts'
import type { AgentGateway } from './agents/agent-gateway.ts'
import type { KeyAwait, KeyLookup } from './authorize.ts'
import type { OpenBodyDims } from './body-dims.ts'
import type { Estimates } from '../estimates/estimates.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { RefusalQuota } from '../limits/refusal-quota.ts'
import type { Route } from './route.ts'
import type { HeaderLines } from '../wire/http/header-lines.ts'
import type { Deadlines } from './deadlines.ts'

export interface ProxyLimits {
  readonly connectionsMax: number
  readonly headBytesMax: number
  readonly headersMax: number
  readonly headTimeoutMs: number
  /** The longest silence inside a request's body; a kept one has a pace to keep as well. */
  readonly bodyTimeoutMs: number
  /** A caller's connection between two requests. */
  readonly idleTimeoutMs: number
  readonly firstByteTimeoutMs: number
  readonly streamIdleTimeoutMs: number
  /** A socket on which neither side says anything. */
  readonly tunnelIdleTimeoutMs: number
  readonly tapBytesMax: number
  /** For one body that is read before it goes on, as sent and as decoded; then for all of them. */
  readonly policyBodyBytesMax: number
  readonly policyBufferBytesMax: number
  /** Of such a body that is to come within each `bodyTimeoutMs`. */
  readonly policyPaceBytesMin: number
}

export interface ProxyServices {
  readonly routes: ReadonlyMap<string, Route>
  readonly findKey: KeyLookup
  readonly awaitKey: KeyAwait
  readonly limiter: Limiter
  /** Null where no agent signs in here. */
  readonly agentGateway: AgentGateway | null
  readonly dimsOnInvalid: 'reject' | 'drop'
  readonly openBodyDims: OpenBodyDims
  /** Null where nothing is read of coding agents. */
  readonly agents: Agents | null
  readonly journal: JournalWriter
  readonly refusalQuota: RefusalQuota
  /** The caller's span, for telemetry alone: without it there is never one. */
  readonly readTrace: (lines: HeaderLines) => string | undefined
  /** A response's last piece waits until the call's line is written. */
  readonly recordsFirst: boolean
  readonly limits: ProxyLimits
  readonly deadlines: Deadlines
  readonly clock: Clock
  readonly meter: Meter
  /** Null where tokens that were not reported are left unknown. */
  readonly estimates: Estimates | null
  /** Takes an ended call's figures, never headers, bodies or query values. Null: not logged. */
  readonly logCall: ((fields: object) => void) | null
  /** A sentence for /readyz, or null: with a fault it answers 503, with a warning 200. */
  readonly readinessFault: () => string | null
  readonly readinessWarning: () => string | null
}
