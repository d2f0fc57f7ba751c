// Names the nodes whose calls may be missing in the answers of tools with figures, as the header
// Weir-Silent-Nodes does over HTTP: an agent sees no headers.

import { z } from 'zod'
import { journalStateSchema } from '../contract.ts'
import { toIso } from '../iso-time.ts'
import { formatSilent } from '../service/silent-nodes.ts'
import type { SilentNode } from '../service/silent-nodes.ts'

export interface ToolAnswer {
  readonly structured: Record<string, unknown>
  readonly text: string
}

const { silent_nodes: silentNodesSchema } = journalStateSchema.shape

/** The members of the API's own answer, and this one while a node is silent. */
export function withSilentNodes({ shape }: z.ZodObject): z.ZodObject {
  const described = silentNodesSchema.describe(
    'Nodes whose calls may be missing from these figures; absent when there are none.',
  )
  return z.object({ ...shape, silent_nodes: described.optional() })
}

export function nameSilentNodes(
  { structured, text }: ToolAnswer,
  silent: readonly SilentNode[],
): ToolAnswer {
  if (silent.length === 0) return { structured, text }
  const nodes = silent.map(({ host, since }) => ({ host, since: toIso(since) }))
  return {
    structured: { ...structured, silent_nodes: nodes },
    text: `${text}\n\nThese figures may miss calls of nodes that are silent: ${formatSilent(silent)}.`,
  }
}
