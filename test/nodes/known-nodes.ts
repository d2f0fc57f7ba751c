// A proxy as the others know it, and what its journals came to, for tests that change a part of it.

import type { JournalReport, KnownNode, NodeReport } from '../../src/store/nodes/node-store.ts'

/** All of it is stored. */
export const STORED_JOURNAL: JournalReport = {
  lagBytes: 0,
  unread: 0,
  pending: 0,
  forwarded: 10,
  recorded: 10,
  dead: 0,
  lost: 0,
  caughtUpAt: 0,
  measuredAt: null,
  refusal: null,
  waiting: 0,
}

export function createKnownNode(changes: Partial<KnownNode>): KnownNode {
  return {
    id: 'a',
    host: 'proxy-1',
    role: 'proxy',
    state: 'running',
    version: '1',
    configHash: 'a',
    clockOffsetMs: 0,
    journal: null,
    fault: null,
    ledgerSilentSince: null,
    startedAt: 0,
    seenAt: 0,
    ...changes,
  }
}

/** What the same proxy says of itself. */
export function createNodeReport(changes: Partial<NodeReport>): NodeReport {
  const { startedAt: _, seenAt: __, ledgerSilentSince: ___, ...about } = createKnownNode({})
  return { ...about, uptimeMs: 1, ledgerSilentMs: 0, run: 'run', place: 'place', ...changes }
}
