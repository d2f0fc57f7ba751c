// The nodes that share a database, over HTTP. For administrators: hosts and versions are nobody
// else's business.

import { formatBytes } from '../../core/format-bytes.ts'
import { WeirError } from '../../core/weir-error.ts'
import { judgeNodes, NO_LEADER } from '../../store/nodes/judge-nodes.ts'
import type { JudgedNode } from '../../store/nodes/judge-nodes.ts'
import { lacksLeader, SILENT_MS } from '../../store/nodes/node-store.ts'
import type { KnownNode, NodeList } from '../../store/nodes/node-store.ts'
import { withScope } from '../access.ts'
import { ok, routesOf } from '../define-route.ts'
import type { ApiRoute } from '../define-route.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'
import {
  forgetRequestSchema,
  forgottenNodeSchema,
  NODE_ID_EXAMPLE,
  nodeListSchema,
} from './node-contract.ts'
import type { NodeRow } from './node-contract.ts'

const defineRoute = routesOf('Service')

export const NODE_ROUTES: readonly ApiRoute[] = [
  defineRoute('GET /v1/nodes', {
    name: 'listNodes',
    summary: 'The nodes that share the database',
    access: withScope('admin'),
    sight: 'company',
    answer: ok('The nodes.', nodeListSchema),
    handle: async ({ services }) => {
      if (services.nodes === undefined) return { engine: 'sqlite' as const, rows: [], warnings: [] }
      const found = await services.nodes.list()
      return {
        engine: 'postgresql' as const,
        rows: judgeNodes(found).map(toNodeRow),
        warnings: lacksLeader(found) ? [NO_LEADER] : [],
      }
    },
  }),
  defineRoute('POST /v1/nodes/{id}/forget', {
    name: 'forgetNode',
    summary: 'Take a node that will not come back off the list',
    description:
      'Its journal is not touched: a node that comes back is as it was. One that left calls which are not stored is refused without force.',
    access: withScope('admin'),
    sight: 'company',
    id: {
      noun: 'node',
      description: 'The id of a node, or its first 8 characters.',
      example: NODE_ID_EXAMPLE,
    },
    body: { schema: forgetRequestSchema, example: { force: true }, isOptional: true },
    answer: ok('The node as it was.', forgottenNodeSchema),
    handle: async ({ services, id, body: { force = false } }) => {
      if (services.nodes === undefined) {
        const hint = 'On SQLite there is one node. Nodes are listed once settings.url is set.'
        throw noNode(id, hint)
      }
      const listed = await services.nodes.list()
      const node = findNode(listed, id)
      const { lagBytes = 0, pending = 0 } = node.journal ?? {}
      requireGone(node, { at: listed.at, isForced: force })
      await services.nodes.forget(node.id, pending > 0)
      return { id: node.id, host: node.host, unstored_bytes: lagBytes, lost: pending }
    },
  }),
]

/** As much of an id as the command line's table shows. */
const ID_CHARACTERS_MIN = 8

function findNode({ nodes }: NodeList, asked: string): KnownNode {
  const found = nodes.filter(
    ({ id, state }) =>
      state !== 'forgotten' &&
      (id === asked || (asked.length >= ID_CHARACTERS_MIN && id.startsWith(asked))),
  )
  const [node] = found
  if (node !== undefined && found.length === 1) return node
  throw noNode(asked, 'weir nodes --json has the whole ids.')
}

function noNode(asked: string, hint: string): WeirError {
  return new WeirError('not_found', `There is no node ${asked}.`, { hint })
}

interface Forgetting {
  /** The database's time. */
  readonly at: number
  readonly isForced: boolean
}

function requireGone(node: KnownNode, { at, isForced }: Forgetting): void {
  if (node.state !== 'left' && at - node.seenAt <= SILENT_MS) {
    throw new WeirError('invalid_argument', `The node ${node.id} is running.`, {
      hint: 'Run weir drain on its machine first.',
    })
  }
  const { lagBytes = 0, unread = 0, pending = 0 } = node.journal ?? {}
  if (isForced || lagBytes + unread + pending === 0) return
  throw new WeirError(
    'invalid_argument',
    `The node ${node.id} on ${node.host} left ${formatBytes(lagBytes)} of its journal unstored, ${pending} calls at least.`,
    {
      hint: 'Start Weir on its data directory once more to store them. With --force they are counted as lost.',
    },
  )
}

function toNodeRow(node: JudgedNode): NodeRow {
  const { journal } = node
  return {
    id: node.id,
    host: node.host,
    role: node.role,
    state: node.state,
    version: node.version,
    config_hash: node.configHash,
    clock_offset_ms: node.clockOffsetMs,
    started_at: toIso(node.startedAt),
    seen_at: toIso(node.seenAt),
    silent_ms: node.silentMs,
    fault: node.fault,
    ledger_silent_since: toIsoOrNull(node.ledgerSilentSince),
    journal: journal && {
      lag_bytes: journal.lagBytes,
      unread: journal.unread,
      forwarded: journal.forwarded,
      recorded: journal.recorded,
      pending: journal.pending,
      dead: journal.dead,
      lost: journal.lost,
      caught_up_at: toIsoOrNull(journal.caughtUpAt),
    },
    warnings: [...node.warnings],
  }
}
