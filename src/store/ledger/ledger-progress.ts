// The ledger's progress: how far the journals have been stored, which calls are open, what was
// counted, what budgets have spent, and the alerts that come of it. An engine needs transactions
// for it.

import type { CallOpening, UsageEvent } from '../../core/usage-event.ts'
import type { BudgetStates } from './budget-states.ts'
import type { Outbox } from './outbox.ts'

/** How far one worker's journal has been stored. The fields are the journal's own. */
export interface StoredCursor {
  readonly worker: string
  readonly segment: number
  readonly offset: number
  readonly sequence: number
  readonly forwarded: number
}

export interface OpenCall {
  readonly worker: string
  readonly opening: CallOpening
  /** Set once the call has ended but its tokens are still being counted. */
  readonly uncounted?: UsageEvent | undefined
}

/** An object a provider stores, such as a response, whose usage can be read more than once. */
export interface CountedObject {
  readonly provider: string
  /** As the event's `countedAs` names it. */
  readonly name: string
}

export interface CountedUse extends CountedObject {
  readonly eventId: string
  readonly endedAt: number
}

/** Over all time: what the journals opened, and what became of it. */
export interface CallTally {
  readonly forwarded: number
  /** Forwarded calls with a record. The store counts them itself: it knows what came twice. */
  readonly recorded: number
  readonly dead: number
}

/** What one node's journals came to. */
export interface NodeTally extends CallTally {
  readonly node: string
}

/** How long counted objects are remembered. Providers keep theirs for thirty days at most. */
export const COUNTED_KEPT_DAYS = 60

export interface LedgerState {
  readonly cursors: readonly StoredCursor[]
  readonly openCalls: readonly OpenCall[]
  /** Of this node. */
  readonly tally: CallTally
}

export interface LedgerProgress {
  readonly budgets: BudgetStates
  readonly outbox: Outbox
  /** This owner's, all of it from one moment. */
  readState(): Promise<LedgerState>
  /** Of every node that ever stored something here. */
  readTallies(): Promise<readonly NodeTally[]>
  /** Returns the objects that were counted before. */
  readCounted(objects: readonly CountedObject[]): Promise<readonly CountedUse[]>
}
