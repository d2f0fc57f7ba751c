// OpenRouter's charge, and whose provider key served. A charge is taken as it stands.

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
    // The Responses dialect wraps its answer in `response`, that of Messages in `message`.
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
    // On the caller's own key `cost` is only the platform's fee: the call is charged nothing, and
    // the provider's price is its market cost. Otherwise that figure can just repeat the cost.
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
