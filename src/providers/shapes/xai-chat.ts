// xAI's chat completions. Their completion tokens exclude reasoning, which is output here.

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
  // The total decides: if it excludes the reasoning, the output already includes it.
  const isWithin = toCount(usage['total_tokens']) === input + output
  return isWithin ? usage : { ...usage, completion_tokens: output + reasoning }
}
