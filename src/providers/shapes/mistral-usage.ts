// What Mistral adds to OpenAI's shapes: seconds of sound, connectors, the service tier. Must stay
// true: tokens from connectors are input, and what is billed per unit is counted per unit.

import type { JsonObject } from './json-leaves.ts'
import { toCount, toFigure, toOtherTotal, toList, toName, toObject } from './json-leaves.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from './shape-addition.ts'

/** Connectors' names become billed kinds, so their number is bounded. */
export const CONNECTORS_MAX = 16

/** The entries of a large conversation that are searched for the model. */
const OUTPUTS_MAX = 32

export const mistralUsage: ShapeAddition = {
  needles: ['"conversation.response.error"'],
  members: { usage: true, type: true, outputs: [{ model: true }, OUTPUTS_MAX] },
  translate: (document) => {
    const usage = toObject(document['usage'])
    const outputs = toList(document['outputs']).map(toObject)
    const isFailed = document['type'] === 'conversation.response.error'
    return {
      ...document,
      model: document['model'] ?? outputs.find((output) => toName(output?.['model']))?.['model'],
      service_tier: document['service_tier'] ?? usage?.['service_tier'],
      error: document['error'] ?? (isFailed ? document['type'] : null),
      usage: usage === null ? null : withConnectors(usage),
    }
  },
  createReader: () => new ExtrasReader(),
}

function withConnectors(usage: JsonObject): JsonObject {
  const input = toFigure(usage['prompt_tokens'])
  const output = toFigure(usage['completion_tokens']) ?? 0
  const connectors = toFigure(usage['connector_tokens']) ?? 0
  if (input === null) return usage
  // The tokens of sound are in the total alone: it is billed by the second.
  const hasSound = typeof usage['prompt_audio_seconds'] === 'number'
  const total = hasSound ? null : toOtherTotal(usage, input + output)
  return { ...usage, prompt_tokens: input + connectors, total_tokens: total }
}

class ExtrasReader implements AdditionReader {
  #audioMs = 0
  #connectors: Readonly<Record<string, number>> = {}

  read(document: JsonObject): void {
    const usage = toObject(document['usage'])
    const seconds = usage?.['prompt_audio_seconds']
    if (typeof seconds === 'number' && seconds > 0 && Number.isFinite(seconds)) {
      this.#audioMs = Math.round(seconds * 1000)
    }
    const connectors = toObject(usage?.['connectors'])
    if (connectors !== null) this.#connectors = toCalls(connectors)
  }

  end(): AdditionReading {
    const audio = this.#audioMs > 0 ? { audio_ms: this.#audioMs } : {}
    return { model: null, billing: null, toolCalls: { ...this.#connectors, ...audio } }
  }
}

function toCalls(connectors: JsonObject): Readonly<Record<string, number>> {
  const calls: [string, number][] = []
  for (const [name, value] of Object.entries(connectors).slice(0, CONNECTORS_MAX)) {
    const count = toCount(value)
    if (toName(name) !== null && count !== null && count > 0) calls.push([name, count])
  }
  return Object.fromEntries(calls)
}
