// What a node takes for itself before its processes start: the data directory, where it has
// journals, and the ports.

import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { hostname } from 'node:os'

import type { Config } from '../../config/config.ts'
import { lockDataDir, openDataDir } from '../../backup/data-dir.ts'
import { openNodeId } from '../../store/open-store.ts'
import type { NodeRole } from '../../store/nodes/node-store.ts'
import { watchDrainRequests } from './drain-request.ts'
import type { DrainRequest } from './drain-request.ts'
import { bindPort, toUrl } from '../ports.ts'
import type { Ports } from '../role-process.ts'
import { ROLES_OF } from '../roles.ts'
import type { NodeClaim, NodeIdentity } from './node-identity.ts'

export interface OwnNode {
  readonly node: NodeIdentity
  readonly claim: NodeClaim
  readonly hasJournals: boolean
  /** Never resolves for a node without a data directory: it has nothing to store. */
  readonly drainRequested: Promise<DrainRequest>
  close(): void
}

export function openNodePlace(config: Config, role: NodeRole): OwnNode {
  const { dataDir } = config
  if (!ROLES_OF[role].includes('ledger')) {
    const drainRequested = new Promise<DrainRequest>(() => {})
    const node = { id: randomUUID(), role }
    const claim = { run: randomUUID(), place: hostname() }
    return { node, claim, hasJournals: false, drainRequested, close: () => {} }
  }
  openDataDir(dataDir)
  const release = lockDataDir(dataDir)
  const drains = watchDrainRequests(dataDir)
  return {
    node: { id: openNodeId({ dataDir }), role },
    claim: { run: randomUUID(), place: toPlace(dataDir) },
    hasJournals: true,
    drainRequested: drains.requested,
    close: () => {
      drains.close()
      release()
    },
  }
}

/**
 * The machine since it was started, and the directory itself rather than its path: whoever has its
 * lock there is alone. Nothing of it is in the directory, so a copy is another place.
 */
function toPlace(dataDir: string): string {
  const { dev, ino } = statSync(dataDir, { bigint: true })
  return `${readBootId() ?? hostname()} ${dev} ${ino}`
}

/** Null where the system has none: containers of one machine have the same one. */
function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return null
  }
}

export interface NodePorts extends Ports {
  readonly proxyUrl: string | null
  readonly apiUrl: string | null
  close(): void
}

export async function bindNodePorts(config: Config, role: NodeRole): Promise<NodePorts> {
  const { host, port } = config.proxy
  const proxy = role === 'api' ? null : await bindPort({ host, port, setting: 'WEIR_PROXY' })
  const api = role === 'proxy' ? null : await bindPort({ ...config.api, setting: 'WEIR_API' })
  return {
    proxy,
    api,
    proxyUrl: proxy === null ? null : toUrl({ ...proxy, isTls: config.tls.cert !== undefined }),
    apiUrl: api === null ? null : toUrl({ ...api, isTls: config.api.tls.cert !== undefined }),
    close: () => {
      api?.close()
      proxy?.close()
    },
  }
}
