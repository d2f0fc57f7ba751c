// What a role is: a process's job, what it is given, and what it gives back.

import type { Logger } from 'pino'

import type { Clock } from '../core/clock.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import type { Config } from './config.ts'
import type { GateFigure } from './messages.ts'
import type { CountingMeter, MetricSample } from './meter.ts'

export type Role = 'proxy' | 'ledger'

export interface RoleOptions {
  readonly config: Config
  /** The socket that the supervisor has bound for this role. */
  readonly fd: number
  readonly clock: Clock
  readonly meter: CountingMeter
  readonly log: Logger
  /** A line for the person who started the program. */
  readonly say: (line: string) => void
  /** Aborted when the process is told to end: a start that waits for something gives up. */
  readonly signal: AbortSignal
}

export interface RunningRole {
  /** Takes the figures of the other processes. */
  metrics?(samples: readonly MetricSample[]): void
  /** Takes what runs under the blocking budgets. */
  gate?(figures: readonly GateFigure[]): void
  /** Figures beside those of the process's own meter. */
  samples?(): readonly MetricSample[]
  /** Ends what only one process may do; the rest goes on. */
  yield?(): Promise<void>
  /** May be called again, to shorten the time. */
  drain(limits: DrainLimits): Promise<void>
}
