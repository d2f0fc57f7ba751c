// What Groq says in a member of its own: usage that comes without being asked for, an error inside a
// stream, and which models worked behind a compound system. Must stay true: where the breakdown has
// figures, they are the usage, and the figures of the whole are not added to them.

import type { UsageShare } from '../../core/usage-event.ts'
import type { JsonObject } from './json-leaves.ts'
import { toList, toName, toObject } from './json-leaves.ts'
import { ModelShares } from './model-shares.ts'
import { OpenaiUsage } from './openai-usage.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from './shape-addition.ts'

/** A compound system has a handful of models; what is listed beyond is left to the whole figure. */
export const BREAKDOWN_MODELS_MAX = 32

export const groqUsage: ShapeAddition = {
  needles: ['"usage_breakdown"'],
  members: { usage_breakdown: true, x_groq: { usage: true, error: true, usage_breakdown: true } },
  translate: (document) => {
    const own = toObject(document['x_groq'])
    if (own === null) return document
    return {
      ...document,
      usage: document['usage'] ?? own['usage'],
      error: document['error'] ?? own['error'],
    }
  },
  createReader: () => new BreakdownReader(),
}

class BreakdownReader implements AdditionReader {
  #shares: readonly UsageShare[] = []

  read(document: JsonObject): void {
    const own = toObject(document['x_groq'])
    const breakdown = toObject(document['usage_breakdown'] ?? own?.['usage_breakdown'])
    const models = toList(breakdown?.['models'])
    if (models.length === 0 || models.length > BREAKDOWN_MODELS_MAX) return
    this.#shares = addByModel(models)
  }

  end(): AdditionReading {
    const reading: AdditionReading = { model: null, billing: null, toolCalls: {} }
    return this.#shares.length === 0 ? reading : { ...reading, shares: this.#shares }
  }
}

/** Empty where one of them lacks its figures: a part of the truth would pass for all of it. */
function addByModel(models: readonly unknown[]): readonly UsageShare[] {
  const shares = new ModelShares()
  for (const entry of models) {
    const used = toObject(entry)
    const model = toName(used?.['model'])
    const usage = new OpenaiUsage()
    usage.read(used?.['usage'])
    const tokens = usage.tokens()
    if (model === null || tokens === null) return []
    shares.add(model, tokens)
  }
  return shares.toList()
}
