// A role: a process's job, what it is given, and what it returns.

import type { Logger } from 'pino'

import type { Clock } from '../core/clock.ts'
import type { DrainLimits } from '../proxy/listen.ts'
import type { Config } from '../config/config.ts'
import type { TlsTexts } from '../config/tls-files.ts'
import type { NodeIdentity } from './nodes/node-identity.ts'
import type { NodeRole } from '../store/nodes/node-store.ts'
import type { StatusUpdate } from './messages.ts'
import type { CountingMeter } from './meter.ts'

export type Role = 'proxy' | 'ledger' | 'api'

/** What a node runs. On an API node there are no journals, so there is no ledger. */
export const ROLES_OF: Readonly<Record<NodeRole, readonly Role[]>> = {
  all: ['ledger', 'api', 'proxy'],
  proxy: ['ledger', 'proxy'],
  api: ['api'],
}

export interface RoleOptions {
  readonly config: Config
  readonly tls: TlsTexts
  readonly node: NodeIdentity
  readonly clock: Clock
  readonly meter: CountingMeter
  readonly log: Logger
  /** Of the log, for rooms that need no more of it. */
  readonly warn: (fields: object, message: string) => void
  readonly info: (fields: object, message: string) => void
  readonly say: (line: string) => void
  /** Aborted when the process is to end: a start that waits for something gives up. */
  readonly signal: AbortSignal
}

export interface RunningRole {
  onStatus?(update: StatusUpdate): void
  /** A second call can only shorten the time. */
  drain(limits: DrainLimits): Promise<void>
}
