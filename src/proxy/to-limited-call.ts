// One call as the limiter sees it, searched only when needed: most budgets have plenty.

import type { ApiKey } from '../core/api-key.ts'
import { findOutputTokensMax, firstBytes } from '../limits/expected-cost.ts'
import type { LimitedCall } from '../limits/limited-call.ts'
import type { Call } from './admission.ts'
import { FREE_METHODS } from './record.ts'

export function toLimitedCall(
  call: Call,
  key: ApiKey,
  waiting: () => readonly Buffer[],
): LimitedCall {
  const { head, operation, opening, policy, view } = call
  const { framing } = head
  const isLook = framing.kind === 'none' && !head.isUpgrade && FREE_METHODS.has(head.method)
  return {
    id: opening.id,
    keyId: key.id,
    rpm: key.rateLimitRpm,
    maxParallel: key.maxParallel,
    providerId: opening.provider,
    dims: opening.dims,
    isPlan: call.isPlan,
    isPaid: operation?.isFree !== true && !isLook,
    isKnown: operation !== null,
    requestBytes: framing.kind === 'length' ? framing.length : null,
    findModel() {
      const [known] = policy?.names ?? []
      if (known !== undefined) return known
      const reader = operation?.createModelReader(view) ?? null
      // The frames of chunks stand between their bytes.
      if (framing.kind === 'length') reader?.feed(firstBytes(waiting()))
      return reader?.end() ?? null
    },
    findOutputMax: () => findOutputTokensMax(firstBytes(waiting())),
  }
}
