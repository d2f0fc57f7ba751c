// xAI's chat completions differ from OpenAI's in one figure: what a model reasoned is not among its
// completion tokens. Must stay true: reasoning is counted once, as a part of the output.

import type { JsonObject } from './json-leaves.ts'
import { toCount, toObject } from './json-leaves.ts'
import type { ShapeAddition } from './shape-addition.ts'
import { xaiCost } from './xai-cost.ts'

export const xaiChat: ShapeAddition = {
  ...xaiCost,
  translate: (document) => {
    const usage = toObject(document['usage'])
    return usage === null ? document : { ...document, usage: withReasoning(usage) }
  },
}

function withReasoning(usage: JsonObject): JsonObject {
  const input = toCount(usage['prompt_tokens']) ?? 0
  const output = toCount(usage['completion_tokens']) ?? 0
  const details = toObject(usage['completion_tokens_details'])
  const reasoning = toCount(details?.['reasoning_tokens']) ?? 0
  // The total has the last word: one without the reasoning says that it is within the output
  // already.
  const isWithin = toCount(usage['total_tokens']) === input + output
  return isWithin ? usage : { ...usage, completion_tokens: output + reasoning }
}
