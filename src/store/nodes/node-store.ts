// The nodes that share a database: what each says of itself, second by second, and which of them
// leads. Times are the database's, so that nodes whose clocks differ agree. With SQLite there is
// one node, and no such store.

import type { Completeness, JournalHealth } from '../../core/completeness.ts'

/** What a node runs: `weir proxy`, `weir api`, or `weir start` with all of it. */
export type NodeRole = 'proxy' | 'api' | 'all'

/**
 * A node that has left stored its journal before, or says what it left in it. One that was
 * forgotten with calls on its disk is kept as such: they are lost, and every figure says so.
 */
export type NodeState = 'running' | 'draining' | 'left' | 'forgotten'

/** How far a node's ledger is with its journals. The parts are of one moment, so they add up. */
export interface JournalReport extends Completeness, JournalHealth {
  /** Bytes of the journals that are not stored yet. */
  readonly lagBytes: number
  /** Of the pending calls: those that the ledger has not read yet. */
  readonly unread: number
  /** All calls that ended before are stored; null until the ledger knows. */
  readonly caughtUpAt: number | null
  /** When the files were looked at: later calls are in no figure. Null where it is not known. */
  readonly measuredAt: number | null
}

export interface NodeReport {
  readonly id: string
  readonly host: string
  readonly role: NodeRole
  readonly state: NodeState
  readonly version: string
  readonly uptimeMs: number
  /** Of what must be the same on all nodes. */
  readonly configHash: string
  /** How far the node's clock is ahead of the database's; null until it was measured. */
  readonly clockOffsetMs: number | null
  /** Null for a node without journals, and until its ledger has reported. */
  readonly journal: JournalReport | null
  /** Why it does not do all its work, in a sentence; null while it does. */
  readonly fault: string | null
  /** For how long its ledger does not answer; 0 while it does. */
  readonly ledgerSilentMs: number
  /** Known to this run of the node only, and by which it has its id. */
  readonly run: string
  /** Where its data directory is: a new run in the same place has taken the old one's over. */
  readonly place: string
}

export interface KnownNode extends Omit<
  NodeReport,
  'uptimeMs' | 'ledgerSilentMs' | 'run' | 'place'
> {
  readonly startedAt: number
  readonly seenAt: number
  /** Null while its ledger answers. */
  readonly ledgerSilentSince: number | null
}

export interface NodeList {
  /** The database's time. */
  readonly at: number
  readonly nodes: readonly KnownNode[]
}

export interface LeaseClaim {
  readonly name: string
  readonly owner: string
  readonly lastsMs: number
}

/** A heartbeat or a renewal that takes longer is of no use: the next one is due. */
export const STATEMENT_MS_MAX = 2000

export interface NodeStore {
  /**
   * Tells the others that this node is alive; false where another run has its id, elsewhere. One
   * statement that waits for nobody.
   */
  beat(report: NodeReport): Promise<boolean>
  list(): Promise<NodeList>
  /**
   * Removes a node from the list, or keeps what it did not store as lost; false where there is
   * none. Its journal is not touched: a node that comes back is as it was.
   */
  forget(id: string, losesCalls: boolean): Promise<boolean>
  /** Removes nodes that left a day ago, or are silent for as long, and left nothing unstored. */
  prune(): Promise<number>
  /** Takes or renews a lease; false while another owner has it. */
  takeLease(claim: LeaseClaim): Promise<boolean>
  /** Another may take it at once. */
  releaseLease(claim: Pick<LeaseClaim, 'name' | 'owner'>): Promise<void>
  /** How far `now` is ahead of the database's time, within half a round trip. */
  measureOffsetMs(now: () => number): Promise<number>
  close(): Promise<void>
}

/** A node sends a heartbeat each second; after this long without one it counts as silent. */
export const SILENT_MS = 5000
/** After this long without a heartbeat, another run may have the node's id, wherever it is. */
export const CLAIM_MS = 10_000

/** Whether figures may miss calls: it or its ledger is silent, and it did not leave them stored. */
export function isSilent(node: KnownNode, at: number): boolean {
  const { role, state, journal, seenAt, ledgerSilentSince } = node
  if (state === 'forgotten') return false
  if (ledgerSilentSince !== null) return true
  if (at - seenAt <= SILENT_MS || (role === 'api' && journal === null)) return false
  return state !== 'left' || (journal !== null && journal.lagBytes + journal.unread > 0)
}

/** Since when figures may miss its calls. */
export function findSilentSince({ seenAt, ledgerSilentSince }: KnownNode): number {
  return ledgerSilentSince ?? seenAt
}

/** Proxies are running, but no node with an API, and only those lead: alerts and chores wait. */
export function lacksLeader({ at, nodes }: NodeList): boolean {
  const living = nodes.filter(({ state, seenAt }) => state !== 'left' && at - seenAt <= SILENT_MS)
  return living.length > 0 && living.every(({ role }) => role === 'proxy')
}

/** Clocks that are further apart count calls into the wrong day, and are worth a word. */
export const CLOCK_OFFSET_MS_MAX = 1000
/** Nodes that are kept in the list. */
export const NODES_MAX = 1000
