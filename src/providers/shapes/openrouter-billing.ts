// What OpenRouter adds to any shape: what it charged, and whose provider key served. Must stay
// true: a charge is taken as it stands and nothing is added to it.

import type { Money } from '../../core/money.ts'
import type { ReportedBilling } from '../../core/usage-event.ts'
import { toChargedAmount } from './charged-amount.ts'
import type { JsonObject } from './json-leaves.ts'
import { toName, toObject } from './json-leaves.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from './shape-addition.ts'

/** With a hyphen; other gateways have an underscore. */
const GENERATION_ID_PREFIX = 'gen-'

export const openrouterBilling: ShapeAddition = {
  needles: ['cost"', '"is_byok"'],
  members: { id: true, usage: true },
  createReader: () => new BillingReader(),
}

class BillingReader implements AdditionReader {
  #cost: Money | null = null
  #upstreamCost: Money | null = null
  #isByok: boolean | null = null
  #generationId: string | null = null

  read(document: JsonObject): void {
    // The Responses dialect wraps its answer into `response`, that of Messages into `message`.
    const answer = toObject(document['response']) ?? toObject(document['message']) ?? document
    const id = toName(answer['id'])
    if (id?.startsWith(GENERATION_ID_PREFIX)) this.#generationId = id
    const usage = toObject(document['usage']) ?? toObject(answer['usage'])
    if (usage === null) return
    if (typeof usage['is_byok'] === 'boolean') this.#isByok = usage['is_byok']
    this.#cost = toChargedAmount(usage['cost']) ?? this.#cost
    const details = toObject(usage['cost_details'])
    this.#upstreamCost = toChargedAmount(details?.['upstream_inference_cost']) ?? this.#upstreamCost
  }

  end(): AdditionReading {
    const isNothing = this.#cost === null && this.#isByok === null && this.#generationId === null
    // On the caller's own key `cost` is the platform's fee and the inference is billed elsewhere:
    // the call is recorded as charged nothing, with what the provider will ask for as its market
    // cost. Without it that figure can repeat the cost, and would say nothing new.
    const billing: ReportedBilling = {
      cost: this.#cost,
      marketCost: this.#isByok === true ? this.#upstreamCost : null,
      isByok: this.#isByok,
      generationId: this.#generationId,
      statedBy: 'provider',
    }
    return { model: null, billing: isNothing ? null : billing, toolCalls: {} }
  }
}
