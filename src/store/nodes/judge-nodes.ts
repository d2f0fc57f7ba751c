// What an operator should look at in the list of nodes.

import { formatBytes } from '../../core/format-bytes.ts'
import { CLOCK_OFFSET_MS_MAX, SILENT_MS } from './node-store.ts'
import type { KnownNode, NodeList, NodeState } from './node-store.ts'

type ListedNode = KnownNode & { readonly state: Exclude<NodeState, 'forgotten'> }

export type JudgedNode = ListedNode & {
  readonly silentMs: number
  /** In sentences without a final dot. */
  readonly warnings: readonly string[]
}

export const NO_LEADER = 'no node leads: alerts and the removal of old calls wait for weir api'

/** Compared with what most of the running nodes have. */
export function judgeNodes({ at, nodes }: NodeList): readonly JudgedNode[] {
  const running = nodes.filter(({ state }) => state !== 'left' && state !== 'forgotten')
  const version = findUsual(running.map((node) => node.version))
  const configHash = findUsual(running.map((node) => node.configHash))
  const listed = nodes.filter((node): node is ListedNode => node.state !== 'forgotten')
  return listed.map((node) => {
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
    isSilent ? null : describeRefusal(node, usual.silentMs),
    isSilent || node.fault === null ? null : node.fault.replace(/\.$/, ''),
    clockOffsetMs !== null && Math.abs(clockOffsetMs) > CLOCK_OFFSET_MS_MAX
      ? `its clock is ${clockOffsetMs} ms off`
      : null,
    node.version === usual.version ? null : `its version is not ${usual.version}`,
    node.configHash === usual.configHash ? null : 'its configuration differs',
  ].filter((text) => text !== null)
}

function describeRefusal({ journal, seenAt }: KnownNode, silentMs: number): string | null {
  if (journal === null || journal.refusal === null) return null
  const { since, reason } = journal.refusal
  const seconds = Math.round((seenAt + silentMs - since) / 1000)
  return `its disk has not taken the journal for ${seconds} s (${reason})`
}

/** The most frequent; the first of several. */
function findUsual(values: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  let usual: string | null = null
  for (const [value, count] of counts) if (count > (counts.get(usual ?? '') ?? 0)) usual = value
  return usual
}
