// Whether every call that any node forwarded is on record, from what the nodes say of themselves.
// The parts of one node are of one moment, so the sums add up. A node that is gone for good has
// its tally in the usage store.

import type { Completeness } from '../../core/completeness.ts'
import type { NodeStore } from '../../store/nodes/node-store.ts'

const NONE: Completeness = { forwarded: 0, recorded: 0, pending: 0, dead: 0, lost: 0 }

export async function readNodesCompleteness(store: Pick<NodeStore, 'list'>): Promise<Completeness> {
  const { nodes } = await store.list()
  return nodes.flatMap(({ journal }) => journal ?? []).reduce(add, NONE)
}

function add(one: Completeness, other: Completeness): Completeness {
  return {
    forwarded: one.forwarded + other.forwarded,
    recorded: one.recorded + other.recorded,
    pending: one.pending + other.pending,
    dead: one.dead + other.dead,
    lost: one.lost + other.lost,
  }
}
