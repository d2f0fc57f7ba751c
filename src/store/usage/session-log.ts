// Sessions of coding agents: what the store knows of each. Must stay true: figures are of whole
// sessions, as far as they are seen, and add up to those of their calls.

import type { CallSight } from '../../core/teams/sight.ts'
import type { UsageFigures } from '../../core/usage-figures.ts'
import type { SessionAbout, SessionOutcome } from './session-sums.ts'

/** A session is one key's: others may have one of the same name. */
export interface SessionKey {
  readonly keyId: string
  readonly session: string
}

export interface StoredSession extends SessionKey, SessionAbout {
  /** Of the call that ended last; null for none. */
  readonly teamId: string | null
  readonly personId: string | null
  /** All forwarded calls. */
  readonly total: UsageFigures
  readonly outcomes: Readonly<Record<SessionOutcome, UsageFigures>>
  /** Of the total. */
  readonly subagents: UsageFigures
  readonly denied: number
}

type Wanted = readonly string[] | null

export interface SessionQuestion {
  /** Sessions that had a call between, and ran in one of the months. */
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly keyId: Wanted
  readonly team: Wanted
  readonly person: Wanted
  readonly tool: Wanted
  readonly repository: Wanted
  /** One alone, whenever it was. */
  readonly only?: SessionKey
  /** Only calls that are seen so; left out: all. */
  readonly sight?: CallSight
}

/** What one question may answer with. */
export const SESSIONS_MAX = 100_000

export interface SessionLog {
  /** Unordered. Refused with `invalid_parameter` where there are more than SESSIONS_MAX. */
  read(question: SessionQuestion): Promise<readonly StoredSession[]>
}
