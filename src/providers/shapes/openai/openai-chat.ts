// OpenAI's chat completions, as one JSON object or as a stream of events.

import type { JsonShape } from '../../../wire/json/json-members.ts'
import type { Operation } from '../../provider.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toList, toName, toObject } from '../json-leaves.ts'
import { modelOperation } from '../model-operation.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'
import { OpenaiUsage } from './openai-usage.ts'

/** Gateways report the failure of one choice inside it. */
const CHOICE: JsonShape = { error: true, finish_reason: true }

/** Also for the older completions, whose choices contain a text instead of a message. */
export const CHAT: DocumentShape = {
  // Not `"usage"`: with `include_usage` every chunk has it, all but one as null.
  needles: ['_tokens"', 'error', '[DONE]'],
  modelNeedles: ['"model"'],
  members: {
    object: true,
    model: true,
    usage: true,
    service_tier: true,
    error: true,
    choices: [CHOICE],
  },
  texts: ['content', 'reasoning_content', 'reasoning', 'name', 'arguments', 'refusal', 'text'],
  callTokens: 5,
  createReader: () => new ChatReader(),
}

export function openaiChat(path: PathPattern, options: ModelOptions = {}): Operation {
  return modelOperation({ ...options, name: 'openai-chat', path, answer: CHAT })
}

class ChatReader implements DocumentReader {
  readonly #usage = new OpenaiUsage()
  model: string | null = null
  #serviceTier: string | null = null
  #hasError = false

  get isMeasured(): boolean {
    return this.#usage.isKnown
  }

  read(document: JsonObject, event: string | null): void {
    this.model = toName(document['model']) ?? this.model
    this.#serviceTier = toName(document['service_tier']) ?? this.#serviceTier
    this.#usage.read(document['usage'])
    this.#hasError ||= event === 'error' || isError(document)
  }

  end(): ShapeReading {
    return {
      tokens: this.#usage.tokens(),
      serviceTier: this.#serviceTier,
      hasError: this.#hasError,
    }
  }
}

/** Some servers send the error itself, without a member around it. */
function isError(document: JsonObject): boolean {
  if (document['object'] === 'error') return true
  const choice = toObject(toList(document['choices'])[0])
  const error = document['error'] ?? choice?.['error'] ?? null
  return error !== null || choice?.['finish_reason'] === 'error'
}
