// Which node a process belongs to.

import type { NodeRole } from '../../store/nodes/node-store.ts'

export interface NodeIdentity {
  /** Of the data directory; an API node has a new one at each start. */
  readonly id: string
  readonly role: NodeRole
}
