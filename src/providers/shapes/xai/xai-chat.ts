// xAI's chat completions. Their completion tokens exclude reasoning, which is output here.

import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toObject } from '../json-leaves.ts'
import type { ShapeAddition } from '../shape-addition.ts'
import { xaiCost } from './xai-cost.ts'

export const xaiChat: ShapeAddition = {
  ...xaiCost,
  translate: (document) => {
    const usage = toObject(document['usage'])
    return usage === null ? document : { ...document, usage: withReasoning(usage) }
  },
}

function withReasoning(usage: JsonObject): JsonObject {
  const input = toFigure(usage['prompt_tokens']) ?? 0
  const output = toFigure(usage['completion_tokens']) ?? 0
  const details = toObject(usage['completion_tokens_details'])
  const reasoning = toFigure(details?.['reasoning_tokens']) ?? 0
  // The total decides: if it excludes the reasoning, the output already includes it.
  const isWithin = toFigure(usage['total_tokens']) === input + output
  return isWithin ? usage : { ...usage, completion_tokens: output + reasoning }
}
