// Which node a process belongs to.

import type { NodeRole } from '../../store/nodes/node-store.ts'

export interface NodeIdentity {
  /** Of the data directory; an API node has a new one at each start. */
  readonly id: string
  readonly role: NodeRole
}

/** By what a run of a node has its id: two with one id would store into one another's place. */
export interface NodeClaim {
  /** New at each start. */
  readonly run: string
  /** The same for all runs on one data directory, and for no copy of it. */
  readonly place: string
}
