// Whether every forwarded call is on record: nothing runs, waits, was put aside or is missing.

import type { CountedCalls, NodeCalls } from '../api-options.ts'
import type { CompletenessAnswer } from '../contract.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'

export function toCompletenessAnswer(
  { forwarded, recorded, pending, dead, lost, nodes = [] }: CountedCalls,
  nowMs: number,
): CompletenessAnswer {
  return {
    as_of: toIso(nowMs),
    forwarded,
    recorded,
    pending,
    dead,
    lost,
    is_complete: pending + dead + lost === 0,
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
