// Whether every forwarded call is on record: nothing runs, waits, was put aside or is missing, and
// no node is silent, of whose calls nobody knows.

import type { CountedCalls, NodeCalls } from '../api-options.ts'
import type { CompletenessAnswer } from '../contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'

export function toCompletenessAnswer(
  { forwarded, recorded, pending, dead, lost, nodes = [], asOf }: CountedCalls,
  nowMs: number,
): CompletenessAnswer {
  return {
    as_of: toIso(asOf ?? nowMs),
    forwarded,
    recorded,
    pending,
    dead,
    lost,
    is_complete: pending + dead + lost === 0 && !nodes.some(({ isSilent }) => isSilent),
    nodes: nodes.map(toNodeAnswer),
  }
}

function toNodeAnswer({
  seenAt,
  isSilent,
  ...figures
}: NodeCalls): CompletenessAnswer['nodes'][number] {
  return { ...figures, last_seen_at: toIsoOrNull(seenAt), silent: isSilent }
}
