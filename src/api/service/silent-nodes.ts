// Names the nodes whose calls may be missing beside every figure. Must stay true: the list is read
// once a second at most, and no answer fails because it cannot be read.

import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../../core/clock.ts'
import { findSilentSince, isSilent } from '../../store/nodes/node-store.ts'
import type { NodeStore } from '../../store/nodes/node-store.ts'
import { toIso } from '../iso-time.ts'
import { isScoped } from '../sight/route-sight.ts'

export interface SilentNode {
  readonly host: string
  /** Its last heartbeat, or when its ledger last answered. */
  readonly since: number
}

export type ReadSilentNodes = () => Promise<readonly SilentNode[]>

export const SILENT_NODES_HEADER = 'Weir-Silent-Nodes'

/** Paths whose answers have figures; what is below them belongs to them. */
export const FIGURE_PATHS = [
  '/v1/usage',
  '/v1/breakdown',
  '/v1/analysis',
  '/v1/overview',
  '/v1/requests',
  '/v1/exports',
  '/v1/budgets',
  '/v1/incidents',
  '/v1/keys',
] as const

const KEPT_MS = 1000
/** Named in one header; of more, the number. */
export const SILENT_NAMED_MAX = 10
const HOST_CHARACTERS_MAX = 100

export interface SilentNodesOptions {
  /** Absent where there is one node. */
  readonly nodes?: Pick<NodeStore, 'list'>
  readonly clock: Clock
}

export function createSilentNodes({ nodes, clock }: SilentNodesOptions): ReadSilentNodes {
  if (nodes === undefined) return () => Promise.resolve([])
  let last: readonly SilentNode[] = []
  let reading: Promise<readonly SilentNode[]> | null = null
  let keptUntil = 0
  const read = async (): Promise<readonly SilentNode[]> => {
    try {
      const { at, nodes: listed } = await nodes.list()
      last = listed
        .filter((node) => isSilent(node, at))
        .map((node) => ({ host: node.host, since: findSilentSince(node) }))
    } catch {
      // Whoever asked for figures gets them, beside what was known last.
    }
    return last
  }
  return () => {
    const passedMs = clock.monotonic()
    if (reading === null || passedMs >= keptUntil) {
      reading = read()
      keptUntil = passedMs + KEPT_MS
    }
    return reading
  }
}

/** On answers only: who is refused learns nothing of the machines. */
export function createSilentNodesHeader(readSilent: ReadSilentNodes): MiddlewareHandler {
  return async (context, next) => {
    await next()
    if (!context.res.ok || isScoped(context)) return
    const silent = await readSilent()
    if (silent.length > 0) context.header(SILENT_NODES_HEADER, formatSilent(silent))
  }
}

/** `proxy-1 (since 2026-03-15T12:00:00.000Z), proxy-2 (since …)` */
export function formatSilent(silent: readonly SilentNode[]): string {
  const named = silent.slice(0, SILENT_NAMED_MAX)
  const more = silent.length - named.length
  const texts = named.map(({ host, since }) => `${toHeaderText(host)} (since ${toIso(since)})`)
  return [...texts, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

/** A host may be called anything; a header takes no line ends and no letters beyond ASCII. */
function toHeaderText(host: string): string {
  return host.slice(0, HOST_CHARACTERS_MAX).replaceAll(/[^\w.:-]/g, '?')
}
