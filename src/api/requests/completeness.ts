// Whether every forwarded call is on record: nothing runs, waits, was put aside or is missing.

import type { Completeness } from '../../core/completeness.ts'
import type { CompletenessAnswer } from '../contract.ts'

export function toCompletenessAnswer(
  { forwarded, recorded, pending, dead, lost }: Completeness,
  nowMs: number,
): CompletenessAnswer {
  return {
    as_of: new Date(nowMs).toISOString(),
    forwarded,
    recorded,
    pending,
    dead,
    lost,
    is_complete: pending + dead + lost === 0,
  }
}
