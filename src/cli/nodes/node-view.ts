// Nodes as a table and as JSON, with what an operator should look at.

import { CLOCK_OFFSET_MS_MAX } from '../../app/nodes/heartbeat.ts'
import { formatBytes } from '../../backup/disk-space.ts'
import { SILENT_MS } from '../../store/nodes/node-store.ts'
import type { KnownNode, NodeList } from '../../store/nodes/node-store.ts'
import { formatTable } from '../table.ts'

export interface JudgedNode extends KnownNode {
  readonly silentMs: number
  /** In sentences without a final dot. */
  readonly warnings: readonly string[]
}

/** Compared with what most of the running nodes have. */
export function judgeNodes({ at, nodes }: NodeList): readonly JudgedNode[] {
  const running = nodes.filter(({ state }) => state !== 'left')
  const version = findUsual(running.map((node) => node.version))
  const configHash = findUsual(running.map((node) => node.configHash))
  return nodes.map((node) => {
    const silentMs = Math.max(0, at - node.seenAt)
    return { ...node, silentMs, warnings: listWarnings(node, { silentMs, version, configHash }) }
  })
}

interface Usual {
  readonly silentMs: number
  readonly version: string | null
  readonly configHash: string | null
}

function listWarnings(node: KnownNode, usual: Usual): readonly string[] {
  const { journal, clockOffsetMs } = node
  const left = journal === null ? 0 : journal.lagBytes
  const unstored = left > 0 ? `${formatBytes(left)} of its journal are not stored` : null
  if (node.state === 'left') return unstored === null ? [] : [unstored]
  const isSilent = usual.silentMs > SILENT_MS
  return [
    isSilent ? `silent for ${Math.round(usual.silentMs / 1000)} s` : null,
    isSilent ? unstored : null,
    clockOffsetMs !== null && Math.abs(clockOffsetMs) > CLOCK_OFFSET_MS_MAX
      ? `its clock is ${clockOffsetMs} ms off`
      : null,
    node.version === usual.version ? null : `its version is not ${usual.version}`,
    node.configHash === usual.configHash ? null : 'its configuration differs',
  ].filter((text) => text !== null)
}

/** The most frequent; the first of several. */
function findUsual(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let usual: string | null = null
  for (const [value, count] of counts) if (count > (counts.get(usual ?? '') ?? 0)) usual = value
  return usual
}

export function formatNodes(nodes: readonly JudgedNode[]): string {
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
  const warnings = nodes.flatMap(({ id, warnings: texts }) =>
    texts.map((text) => `  ${id.slice(0, 8)}: ${text}`),
  )
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
