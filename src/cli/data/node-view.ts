// Nodes as a table and as JSON.

import { formatBytes } from '../../backup/disk-space.ts'
import type { JudgedNode } from '../../doctor/judge-nodes.ts'
import { formatTable } from '../table.ts'

/** `general` are warnings about all of them. */
export function formatNodes(nodes: readonly JudgedNode[], general: readonly string[]): string {
  const heading = ['NODE', 'HOST', 'ROLE', 'STATE', 'VERSION', 'CONFIG', 'LAG', 'CLOCK', 'SEEN']
  const rows = nodes.map((node) => [
    node.id.slice(0, 8),
    node.host,
    node.role,
    node.state,
    node.version,
    node.configHash,
    node.journal === null ? '-' : formatBytes(node.journal.lagBytes),
    node.clockOffsetMs === null ? '-' : `${node.clockOffsetMs} ms`,
    `${Math.round(node.silentMs / 1000)} s ago`,
  ])
  const own = nodes.flatMap(({ id, warnings: texts }) =>
    texts.map((text) => `  ${id.slice(0, 8)}: ${text}`),
  )
  const warnings = [...general.map((text) => `  ${text}`), ...own]
  const table = formatTable([heading, ...rows])
  return warnings.length === 0 ? table : [table, '', 'To look at:', ...warnings].join('\n')
}

export function toNodeJson(node: JudgedNode) {
  const { journal } = node
  return {
    id: node.id,
    host: node.host,
    role: node.role,
    state: node.state,
    version: node.version,
    config_hash: node.configHash,
    clock_offset_ms: node.clockOffsetMs,
    started_at: new Date(node.startedAt).toISOString(),
    seen_at: new Date(node.seenAt).toISOString(),
    silent_ms: node.silentMs,
    fault: node.fault,
    ledger_silent_since:
      node.ledgerSilentSince === null ? null : new Date(node.ledgerSilentSince).toISOString(),
    journal:
      journal === null
        ? null
        : {
            lag_bytes: journal.lagBytes,
            unread: journal.unread,
            forwarded: journal.forwarded,
            recorded: journal.recorded,
            pending: journal.pending,
            dead: journal.dead,
            lost: journal.lost,
            caught_up_at:
              journal.caughtUpAt === null ? null : new Date(journal.caughtUpAt).toISOString(),
          },
    warnings: node.warnings,
  }
}
