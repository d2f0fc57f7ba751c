// The cost that xAI adds to OpenAI's shapes, in whole ticks: it becomes money without floats.

import type { Money } from '../../../core/money.ts'
import { toStatedBilling } from '../charged-amount.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toCount, toObject } from '../json-leaves.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from '../shape-addition.ts'

/** A tick is 1e-10 USD, and money is counted in 1e-12. */
const MONEY_PER_TICK = 100n

export const xaiCost: ShapeAddition = {
  needles: ['"cost_in_usd_ticks"'],
  members: { usage: true },
  createReader: () => new CostReader(),
}

/** Search sources and server tools are billed per unit, so tokens alone do not give a cost. */
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
        // The output shows them too, so they are reported only where no cost is.
        ...(this.#tools > 0 && cost === null ? { server_tool: this.#tools } : {}),
      },
    }
  }
}
