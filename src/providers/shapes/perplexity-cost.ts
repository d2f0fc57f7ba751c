// What Perplexity adds to OpenAI's shapes: the call's cost, and tokens priced beside the usual two.
// Must stay true: only the total cost is taken, since a part is not the cost of a call.

import type { Money } from '../../core/money.ts'
import { toChargedAmount, toStatedBilling } from './charged-amount.ts'
import type { JsonObject } from './json-leaves.ts'
import { toCount, toFigure, toOtherTotal, toName, toObject } from './json-leaves.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from './shape-addition.ts'

export const perplexityCost: ShapeAddition = {
  needles: ['"total_cost"'],
  members: { usage: true },
  translate: (document) => {
    const usage = toObject(document['usage'])
    return usage === null ? document : { ...document, usage: withAllTokens(usage) }
  },
  createReader: () => new CostReader(),
}

/** Research sources and reasoning have their own rates and are not in the usual two figures. */
function withAllTokens(usage: JsonObject): JsonObject {
  const input = toFigure(usage['prompt_tokens'])
  const output = toFigure(usage['completion_tokens'])
  const reasoning = toFigure(usage['reasoning_tokens']) ?? 0
  if (input === null || output === null) return usage
  return {
    ...usage,
    prompt_tokens: input + (toFigure(usage['citation_tokens']) ?? 0),
    completion_tokens: output + reasoning,
    completion_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: toOtherTotal(usage, input + output),
  }
}

class CostReader implements AdditionReader {
  #cost: Money | null = null
  #searches = 0

  read(document: JsonObject): void {
    const usage = toObject(document['usage']) ?? toObject(toObject(document['response'])?.['usage'])
    const cost = toObject(usage?.['cost'])
    if (isInDollars(cost)) this.#cost = toChargedAmount(cost?.['total_cost']) ?? this.#cost
    this.#searches = toCount(usage?.['num_search_queries']) ?? this.#searches
  }

  end(): AdditionReading {
    const cost = this.#cost
    return {
      model: null,
      billing: cost === null ? null : toStatedBilling(cost),
      toolCalls: this.#searches > 0 ? { web_search: this.#searches } : {},
    }
  }
}

function isInDollars(cost: JsonObject | null): boolean {
  return (toName(cost?.['currency']) ?? 'USD').toUpperCase() === 'USD'
}
