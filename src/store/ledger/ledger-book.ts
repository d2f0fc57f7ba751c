// The ledger's book: how far the journals have been stored, which calls are open, what was counted,
// what budgets have spent, and the alerts that come of it. An engine needs transactions for it.

import type { CallOpening, UsageEvent } from '../../core/usage-event.ts'
import type { BudgetStates } from './budget-states.ts'
import type { Outbox } from './outbox.ts'

/**
 * How far one worker's journal has been stored. The fields are the journal's; the store only keeps
 * them.
 */
export interface StoredCursor {
  readonly worker: string
  readonly segment: number
  readonly offset: number
  readonly sequence: number
  readonly forwarded: number
}

/** A call that was opened in a worker's journal and has not been closed yet. */
export interface OpenCall {
  readonly worker: string
  readonly opening: CallOpening
  /** What is known of it where it has ended and its tokens are still being counted. */
  readonly uncounted?: UsageEvent | undefined
}

/** A stored object of a provider's, such as a response, whose usage can be read again and again. */
export interface CountedObject {
  readonly provider: string
  /** As the event's `countedAs` names it. */
  readonly name: string
}

/** Which event counted it. */
export interface CountedUse extends CountedObject {
  readonly eventId: string
  readonly endedAt: number
}

/** Over all times: what the journals opened, and what became of it. */
export interface CallTally {
  readonly forwarded: number
  /** Forwarded calls that have a record; kept by the store itself, which knows what came twice. */
  readonly recorded: number
  readonly dead: number
}

/** How long counted objects are remembered. Providers keep theirs for thirty days at the most. */
export const COUNTED_KEPT_DAYS = 60

export interface LedgerState {
  readonly cursors: readonly StoredCursor[]
  readonly openCalls: readonly OpenCall[]
  readonly tally: CallTally
}

export interface LedgerBook {
  readonly budgets: BudgetStates
  readonly outbox: Outbox
  /** All of it from one moment. */
  readState(): Promise<LedgerState>
  /** Those of the objects that were counted before. */
  readCounted(objects: readonly CountedObject[]): Promise<readonly CountedUse[]>
}
