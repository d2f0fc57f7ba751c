// One call as the gate sees it. What has to be searched for is found only when somebody asks: most budgets have plenty.

import type { ApiKey } from '../core/api-key.ts'
import type { Call } from './admission.ts'
import { findOutputTokensMax, firstBytes } from './expected-cost.ts'

export interface GateCall {
  readonly id: string
  readonly keyId: string
  readonly rpm: number | null
  readonly maxParallel: number | null
  readonly providerId: string
  readonly dims: Readonly<Record<string, string>>
  /** False for what costs nothing by its nature, and so is expected to. */
  readonly isPaid: boolean
  /** Null where it is not known beforehand. */
  readonly requestBytes: number | null
  /**
   * The model, as far as it stands in the path or in what has come of the body: a call whose model comes later, or in a
   * compressed body, is not counted under the budgets of models while it runs, only when it has ended.
   */
  findModel(): string | null
  findOutputMax(): number | null
}

/** `waiting` gives what has come of the body. */
export function toGateCall(call: Call, key: ApiKey, waiting: () => readonly Buffer[]): GateCall {
  const { head, operation, opening, policy, view } = call
  const { framing } = head
  return {
    id: opening.id,
    keyId: key.id,
    rpm: key.rateLimitRpm,
    maxParallel: key.maxParallel,
    providerId: opening.provider,
    dims: opening.dims,
    isPaid: operation?.isFree !== true && (framing.kind !== 'none' || head.isUpgrade),
    requestBytes: framing.kind === 'length' ? framing.length : null,
    findModel() {
      const [known] = policy?.names ?? []
      if (known !== undefined) return known
      try {
        const reader = operation?.createModelReader(view) ?? null
        // The frames of chunks stand between their bytes.
        if (framing.kind === 'length') reader?.feed(firstBytes(waiting()))
        return reader?.end() ?? null
      } catch {
        // The tap counts a reader that fails; here it only means that the model is not known yet.
        return null
      }
    },
    findOutputMax: () => findOutputTokensMax(firstBytes(waiting())),
  }
}
