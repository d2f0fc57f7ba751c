// What xAI adds to OpenAI's shapes: the cost of the call, in whole ticks. Must stay true: ticks are
// integers and become money without a float in between.

import type { Money } from '../../core/money.ts'
import { toStatedBilling } from './charged-amount.ts'
import type { JsonObject } from './json-leaves.ts'
import { toCount, toObject } from './json-leaves.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from './shape-addition.ts'

/** A tick is 1e-10 USD, and money is counted in 1e-12. */
const MONEY_PER_TICK = 100n

export const xaiCost: ShapeAddition = {
  needles: ['"cost_in_usd_ticks"'],
  members: { usage: true },
  createReader: () => new CostReader(),
}

/**
 * Sources of a search and the server's tools are billed per unit: without a cost, tokens are not
 * the price.
 */
class CostReader implements AdditionReader {
  #cost: Money | null = null
  #sources = 0
  #tools = 0

  read(document: JsonObject): void {
    const usage = toObject(document['usage']) ?? toObject(toObject(document['response'])?.['usage'])
    const ticks = toCount(usage?.['cost_in_usd_ticks'])
    if (ticks !== null) this.#cost = BigInt(ticks) * MONEY_PER_TICK
    this.#sources = toCount(usage?.['num_sources_used']) ?? this.#sources
    this.#tools = toCount(usage?.['num_server_side_tools_used']) ?? this.#tools
  }

  end(): AdditionReading {
    const cost = this.#cost
    return {
      model: null,
      billing: cost === null ? null : toStatedBilling(cost),
      toolCalls: {
        ...(this.#sources > 0 ? { search_source: this.#sources } : {}),
        // Shown among the output too, so they are reported here only where they are all that
        // determines the cost.
        ...(this.#tools > 0 && cost === null ? { server_tool: this.#tools } : {}),
      },
    }
  }
}
