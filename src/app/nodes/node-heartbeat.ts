// What a node shows of itself: heartbeats to the nodes that share its database, and a port for
// health and metrics where it has no API.

import type { Clock } from '../../core/clock.ts'
import { toSettingsLocation } from '../../config/store-locations.ts'
import { journalDir } from '../../journal/journal-dir.ts'
import { readJournalFault } from '../../journal/journal-fault.ts'
import { toConfigHash } from './config-hash.ts'
import { openHeartbeat } from './heartbeat.ts'
import type { Heartbeat } from './heartbeat.ts'
import { toUrl } from '../ports.ts'
import type { NodeClaim, NodeIdentity } from './node-identity.ts'
import type { HealthServer } from './health-server.ts'
import type { Supervisor } from '../supervisor.ts'

export interface NodeHeartbeatOptions {
  readonly node: NodeIdentity
  readonly claim: NodeClaim
  readonly supervisor: Supervisor
  readonly clock: Clock
  readonly say: (line: string) => void
}

export interface NodeHeartbeat {
  /** Null where the node has an API, which shows the same. */
  readonly statusUrl: string | null
  /** From now on no caller should be sent here. */
  drain(): void
  close(): Promise<void>
}

const NOT_READY = 'The workers have not started yet.'
const LEAVING = 'This node takes no more calls.'

export async function openNodeHeartbeat(options: NodeHeartbeatOptions): Promise<NodeHeartbeat> {
  const { supervisor, node } = options
  const { host } = supervisor.config.status
  let unready: string | null = NOT_READY
  void supervisor.ready.then(
    () => (unready = null),
    () => {},
  )
  const heartbeat = await openHeartbeatOf(options)
  const findFault = async (): Promise<string | null> =>
    unready ??
    heartbeat?.claimFault() ??
    (supervisor.health.isStuck ? supervisor.health.workersFault : null) ??
    (await readJournalFault(journalDir(supervisor.config.dataDir)))
  const status = node.role === 'proxy' ? await openStatusOf(options, heartbeat, findFault) : null
  return {
    statusUrl: status === null ? null : toUrl({ host, port: status.port }),
    drain: () => {
      unready = LEAVING
      heartbeat?.setState('draining')
    },
    async close() {
      await heartbeat?.close()
      status?.close()
    },
  }
}

async function openHeartbeatOf(options: NodeHeartbeatOptions): Promise<Heartbeat | null> {
  const { supervisor } = options
  const { url } = toSettingsLocation(supervisor.config)
  if (url === null) return null
  return openHeartbeat({
    ...options,
    url,
    configHash: () => toConfigHash(supervisor.config),
    journal: () => supervisor.health.measureJournal(),
    isLeftKnown: () => supervisor.health.isExact,
    health: () => {
      const { fault, ledgerSilentMs } = supervisor.health
      return { fault, ledgerSilentMs }
    },
    claimed: (isClaimed) => supervisor.setClaim(isClaimed),
  })
}

async function openStatusOf(
  { supervisor }: NodeHeartbeatOptions,
  heartbeat: Heartbeat | null,
  findFault: () => Promise<string | null>,
): Promise<HealthServer> {
  // Loaded here: with an API, its process has the metrics.
  const { createMetricsText } = await import('../metrics-text.ts')
  // Node's HTTP takes megabytes, which a node with an API of its own does without.
  const { openHealthServer: openStatusSite } = await import('./health-server.ts')
  return openStatusSite({
    ...supervisor.config.status,
    findFault,
    listWarnings: () =>
      [
        heartbeat?.fault(),
        heartbeat?.clockWarning(),
        heartbeat?.leaderWarning(),
        supervisor.health.ledgerFault,
        supervisor.health.workersFault,
      ].filter((text) => typeof text === 'string'),
    renderMetrics: createMetricsText(() => supervisor.samples(), 'weir_supervisor_'),
  })
}
