// Usage events for tests that need some: valid, and distinguished by what the test sets.

import { createRequestId } from '../../src/core/ids.ts'
import { toInterruptedEvent } from '../../src/core/usage-event.ts'
import type { CallOpening, UsageEvent } from '../../src/core/usage-event.ts'

export const SAMPLE_TIME = Date.UTC(2026, 2, 4, 5, 6, 7)

export function sampleOpening(changes: Partial<CallOpening> = {}): CallOpening {
  return {
    version: 1,
    id: createRequestId(SAMPLE_TIME),
    keyId: 'svc_k_0123456789abcdef',
    provider: 'some',
    operation: 'chat',
    dims: {},
    startedAt: SAMPLE_TIME,
    ...changes,
  }
}

export function sampleEvent(changes: Partial<UsageEvent> = {}): UsageEvent {
  const plain = toInterruptedEvent(sampleOpening(), SAMPLE_TIME + 1000)
  return { ...plain, status: 'delivered', httpStatus: 200, ...changes }
}
