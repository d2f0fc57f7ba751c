// What Google adds to OpenAI's chat. Must stay true: thinking is output. The completion tokens
// leave it out, so it is what the total has beyond them, or else what the details report.

import type { JsonObject } from '../json-leaves.ts'
import { toCount, toObject, toOtherTotal } from '../json-leaves.ts'
import type { AdditionReading, ShapeAddition } from '../shape-addition.ts'
import { toTier } from './gemini-usage.ts'

const NOTHING_MORE: AdditionReading = { model: null, billing: null, toolCalls: {} }

export const geminiCompatible: ShapeAddition = {
  needles: [],
  members: {},
  translate: (document) => {
    const usage = toObject(document['usage'])
    if (usage === null) return document
    const served = toObject(toObject(usage['extra_properties'])?.['google'])
    return {
      ...document,
      service_tier: document['service_tier'] ?? toTier(served?.['traffic_type']),
      usage: withThinking(usage),
    }
  },
  createReader: () => ({ read() {}, end: () => NOTHING_MORE }),
}

function withThinking(usage: JsonObject): JsonObject {
  const input = toCount(usage['prompt_tokens'])
  // An answer cut off while the model was thinking has none, and zeros are left out.
  const shown = toCount(usage['completion_tokens'] ?? 0)
  if (input === null || shown === null) return usage
  const details = toObject(usage['completion_tokens_details'])
  const reasoning = toCount(details?.['reasoning_tokens'])
  const thinking = findThinking({ input, shown, reasoning: reasoning ?? 0, usage })
  if (thinking === 0) return usage
  return {
    ...usage,
    completion_tokens: shown + thinking,
    completion_tokens_details: { ...details, reasoning_tokens: reasoning ?? thinking },
    total_tokens: toOtherTotal(usage, input + shown),
  }
}

interface Stated {
  readonly input: number
  readonly shown: number
  readonly reasoning: number
  readonly usage: JsonObject
}

/** The tokens that the completion leaves out; none where other makers' models include them. */
function findThinking({ input, shown, reasoning, usage }: Stated): number {
  const total = toCount(usage['total_tokens'])
  if (total === null) return reasoning
  const beyond = Math.max(0, total - input - shown)
  // More reasoning than completion cannot be a part of it, whatever the total says.
  return beyond === 0 && reasoning > shown ? reasoning : beyond
}
