// Before a node starts: whether its id is free. A copy of a data directory has the id of the first,
// and two nodes with one id would each store where the other is. A run that was killed is followed
// at once in the same place, and elsewhere once its heartbeats have stopped for ten seconds.

import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

import type { Config } from '../../config/config.ts'
import { toSettingsLocation } from '../../config/store-locations.ts'
import { VERSION } from '../../core/version.ts'
import { WeirError } from '../../core/weir-error.ts'
import { CLAIM_MS } from '../../store/nodes/node-store.ts'
import type { KnownNode, NodeReport, NodeStore } from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { StoreBusy } from '../../store/store-busy.ts'
import { toConfigHash } from './config-hash.ts'
import type { OwnNode } from './own-node.ts'

export interface ClaimOptions {
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

const TRY_MS = 500

/**
 * False where the database is away: the node takes calls, and stores none before it has its id.
 * Without a database, the lock of the data directory does.
 */
export async function claimNode(
  config: Config,
  place: Pick<OwnNode, 'node' | 'claim' | 'hasJournals'>,
  options: ClaimOptions,
): Promise<boolean> {
  const { url } = toSettingsLocation(config)
  if (url === null || !place.hasJournals) return true
  const report: NodeReport = {
    ...place.node,
    ...place.claim,
    host: hostname(),
    version: VERSION,
    configHash: toConfigHash(config),
    state: 'running',
    uptimeMs: 0,
    clockOffsetMs: null,
    journal: null,
    fault: null,
    ledgerSilentMs: 0,
  }
  let store: NodeStore | null = null
  try {
    store = await openNodeStore({ url })
    return await claim(store, { report, dataDir: config.dataDir, ...options })
  } catch (error) {
    if (error instanceof StoreBusy) return false
    throw error
  } finally {
    await store?.close()
  }
}

interface Claiming extends ClaimOptions {
  readonly report: NodeReport
  readonly dataDir: string
}

async function claim(
  store: Pick<NodeStore, 'beat' | 'list'>,
  { report, dataDir, say, signal }: Claiming,
): Promise<boolean> {
  let first: KnownNode | null = null
  while (!signal.aborted) {
    if (await store.beat(report)) return true
    const other = (await store.list()).nodes.find(({ id }) => id === report.id)
    if (other === undefined) continue
    // A second heartbeat, or a second start: it lives.
    if (first !== null && other.seenAt > first.seenAt) throw toRefusal(other, dataDir)
    if (first === null) say(describeWait(other))
    first ??= other
    await pause(TRY_MS)
  }
  return false
}

function describeWait({ id, host }: KnownNode): string {
  return `The node ${id} ran on ${host} a moment ago; it is followed here ${CLAIM_MS / 1000} s after its last heartbeat.`
}

function toRefusal({ id, host }: KnownNode, dataDir: string): WeirError {
  return new WeirError(
    'data_dir_in_use',
    `The node ${id} runs on ${host}: ${dataDir} is a copy of its data directory, or was moved while it ran.`,
    {
      hint: `Stop that node, and start this one ten seconds later. Or, for a node of its own, remove node-id and journal from ${dataDir}: the calls in a copied journal are the other's.`,
    },
  )
}
