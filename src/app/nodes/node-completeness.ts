// Whether every call that any node forwarded is on record, by node and in sum, from what the nodes
// say of themselves and what the store has of them. Must stay true: the parts of a node add up.

import type { CountedCalls, NodeCalls } from '../../api/api-options.ts'
import type { Completeness } from '../../core/completeness.ts'
import type { CallTally, LedgerProgress, NodeTally } from '../../store/ledger/ledger-progress.ts'
import { isSilent, SILENT_MS } from '../../store/nodes/node-store.ts'
import type { KnownNode, NodeStore } from '../../store/nodes/node-store.ts'

/** A node that has stored something has a tally: the database may be another one by now. */
const NOTHING_STORED: CallTally = { forwarded: 0, recorded: 0, dead: 0 }
const NONE: Completeness = { forwarded: 0, recorded: 0, pending: 0, dead: 0, lost: 0 }

export async function readNodesCompleteness(
  store: Pick<NodeStore, 'list'>,
  progress: Pick<LedgerProgress, 'readTallies'>,
): Promise<CountedCalls> {
  const { at, nodes: listed } = await store.list()
  // Read after the list, so that no tally is older than the heartbeat of its node.
  const tallies = new Map((await progress.readTallies()).map((tally) => [tally.node, tally]))
  const known = new Set(listed.map(({ id }) => id))
  const nodes = [
    ...listed
      .filter(({ id, role, journal }) => role !== 'api' || journal !== null || tallies.has(id))
      .map((node) => toCalls(node, tallies.get(node.id), at)),
    ...[...tallies.values()].filter(({ node }) => !known.has(node)).map(fromTally),
  ]
  const asOf = Math.min(at, ...listed.filter((node) => isLiving(node, at)).map(findMeasuredAt))
  return { ...nodes.reduce(add, NONE), nodes, asOf }
}

/** A silent node is named as such, and nothing is known of it since. */
function isLiving(node: KnownNode, at: number): boolean {
  return node.role !== 'api' && node.state !== 'left' && at - node.seenAt <= SILENT_MS
}

function findMeasuredAt({ journal, seenAt }: KnownNode): number {
  // By its own clock, which is known within half a round trip.
  return Math.min(journal?.measuredAt ?? seenAt, seenAt)
}

function toCalls(node: KnownNode, tally: CallTally | undefined, at: number): NodeCalls {
  const { id, host, role, state, journal, seenAt } = node
  const said = journal ?? NONE
  const known = merge(said, tally ?? NOTHING_STORED)
  return {
    id,
    host,
    role,
    seenAt,
    isSilent: isSilent(node, at),
    ...(state === 'forgotten' ? giveUp(known) : known),
  }
}

/**
 * The tally is the newer one: a node that was killed after it had stored a batch never told of it.
 * What is neither stored nor lost may be on the node's disk, so it is pending.
 */
function merge(said: Completeness, tally: CallTally): Completeness {
  const { recorded, dead } = tally
  const forwarded = Math.max(said.forwarded, tally.forwarded)
  const rest = Math.max(0, forwarded - recorded - dead)
  const lost = Math.min(said.lost, rest)
  return { forwarded, recorded, pending: rest - lost, dead, lost }
}

/** Of a node that will not come back. */
function giveUp({ pending, lost, ...rest }: Completeness): Completeness {
  return { ...rest, pending: 0, lost: lost + pending }
}

/** A node that is not listed runs no call: what it forwarded and did not record is lost. */
function fromTally({ node, forwarded, recorded, dead }: NodeTally): NodeCalls {
  const lost = Math.max(0, forwarded - recorded - dead)
  const about = { id: node, host: null, role: null, seenAt: null, isSilent: false }
  return { ...about, forwarded, recorded, pending: 0, dead, lost }
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
