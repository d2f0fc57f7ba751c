// Whether every call that any node forwarded is on record, from what the nodes say of themselves.
// The parts of one node are of one moment, so the sums add up. A node that is gone for good has its
// tally in the usage store.

import type { Completeness } from '../../core/completeness.ts'
import type { LedgerBook, NodeTally } from '../../store/ledger/ledger-book.ts'
import type { NodeStore } from '../../store/nodes/node-store.ts'

const NONE: Completeness = { forwarded: 0, recorded: 0, pending: 0, dead: 0, lost: 0 }

export async function readNodesCompleteness(
  store: Pick<NodeStore, 'list'>,
  book: Pick<LedgerBook, 'readTallies'>,
): Promise<Completeness> {
  const { nodes } = await store.list()
  const reported = nodes.flatMap(({ id, journal }) => (journal === null ? [] : [{ id, journal }]))
  const known = new Set(reported.map(({ id }) => id))
  const gone = (await book.readTallies()).filter(({ node }) => !known.has(node))
  return [...reported.map(({ journal }) => journal), ...gone.map(fromTally)].reduce(add, NONE)
}

/** A node that is not listed runs no call: what it forwarded and did not record is lost. */
function fromTally({ forwarded, recorded, dead }: NodeTally): Completeness {
  return { forwarded, recorded, pending: 0, dead, lost: Math.max(0, forwarded - recorded - dead) }
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
