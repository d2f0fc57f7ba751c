// Groq's own member: usage that comes unasked, errors inside a stream, models and tools of a
// compound system. Must stay true: a breakdown that adds up to the whole's figures replaces them,
// and one that does not says nothing of them; a tool that ran is billed beside the tokens and
// counted once, however often it is shown.

import type { TokenCounts } from '../../core/token-counts.ts'
import type { UsageShare } from '../../core/usage-event.ts'
import type { JsonShape } from '../../wire/json/json-members.ts'
import type { JsonObject } from './json-leaves.ts'
import { toCount, toList, toName, toObject } from './json-leaves.ts'
import { ModelShares } from './model-shares.ts'
import { OpenaiUsage } from './openai/openai-usage.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from './shape-addition.ts'

/** A compound system has a few models; what is listed beyond is left to the whole figure. */
export const BREAKDOWN_MODELS_MAX = 32
/** Tools that one answer may run; their kinds become billed kinds. */
export const TOOLS_MAX = 128

const TOOLS: JsonShape = { executed_tools: [{ index: true, type: true }, TOOLS_MAX] }

export const groqUsage: ShapeAddition = {
  needles: ['"usage_breakdown"', '"executed_tools"'],
  members: {
    usage_breakdown: true,
    x_groq: { usage: true, error: true, usage_breakdown: true },
    choices: [{ message: TOOLS, delta: TOOLS }],
  },
  translate: (document) => {
    const own = toObject(document['x_groq'])
    if (own === null) return document
    return {
      ...document,
      usage: document['usage'] ?? own['usage'],
      error: document['error'] ?? own['error'],
    }
  },
  createReader: () => new CompoundReader(),
}

class CompoundReader implements AdditionReader {
  readonly #whole = new OpenaiUsage()
  #shares: readonly UsageShare[] = []
  /** By place in the answer: a stream shows a tool when it is called and when it is done. */
  readonly #tools = new Map<number, string>()

  read(document: JsonObject): void {
    for (const choice of toList(document['choices'])) this.#readTools(toObject(choice))
    const own = toObject(document['x_groq'])
    this.#whole.read(document['usage'] ?? own?.['usage'])
    const breakdown = toObject(document['usage_breakdown'] ?? own?.['usage_breakdown'])
    const models = toList(breakdown?.['models'])
    if (models.length === 0 || models.length > BREAKDOWN_MODELS_MAX) return
    this.#shares = addByModel(models)
  }

  end(): AdditionReading {
    const toolCalls: Record<string, number> = {}
    for (const kind of this.#tools.values()) toolCalls[kind] = (toolCalls[kind] ?? 0) + 1
    const reading: AdditionReading = { model: null, billing: null, toolCalls }
    const shares = toMatching(this.#shares, this.#whole.tokens())
    return shares.length === 0 ? reading : { ...reading, shares }
  }

  #readTools(choice: JsonObject | null): void {
    const answer = toObject(choice?.['message']) ?? toObject(choice?.['delta'])
    for (const [at, entry] of toList(answer?.['executed_tools']).entries()) {
      const tool = toObject(entry)
      const kind = toName(tool?.['type'])
      const index = toCount(tool?.['index']) ?? at
      if (kind !== null && this.#tools.size < TOOLS_MAX) this.#tools.set(index, kind)
    }
  }
}

/** Streams repeat the whole's figures for each model, or each run of one: then the whole counts. */
function toMatching(
  shares: readonly UsageShare[],
  whole: TokenCounts | null,
): readonly UsageShare[] {
  const sum = (unit: 'input' | 'output'): number =>
    shares.reduce((total, { tokens }) => total + tokens[unit], 0)
  if (whole === null || (sum('input') === whole.input && sum('output') === whole.output)) {
    return shares
  }
  const [first, ...others] = shares
  const isRepeated = others.length === 0 && sum('input') > whole.input
  return first === undefined || !isRepeated ? [] : [{ model: first.model, tokens: whole }]
}

/** Empty where one lacks its figures: a part would be taken for the whole. */
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
