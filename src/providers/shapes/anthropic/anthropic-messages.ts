// Anthropic's Messages. Must stay true: a stream that stops before its final event is never whole.

import type { Operation } from '../../provider.ts'
import { AnthropicUsage } from './anthropic-usage.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { modelOperation } from '../model-operation.ts'
import type { ModelOptions } from '../model-operation.ts'

/** Exported for providers that serve the same answers under other paths. */
export const ANTHROPIC_MESSAGES: DocumentShape = {
  // The quotes exclude content, where a quote within a text has a backslash before it.
  needles: ['_tokens"', '"message_stop"', '"error"', 'event: error', 'event:error'],
  modelNeedles: ['"model"'],
  members: {
    type: true,
    model: true,
    usage: true,
    error: true,
    message: { model: true, usage: true },
  },
  texts: ['text', 'thinking', 'name', 'partial_json'],
  // Claude writes a call with its parameters as markup of its own.
  callTokens: 36,
  createReader: () => new AnthropicMessagesReader(),
}

export function anthropicMessages(path: string, options: ModelOptions = {}): Operation {
  const answer = ANTHROPIC_MESSAGES
  return modelOperation({ ...options, name: 'anthropic-messages', path, answer })
}

export class AnthropicMessagesReader implements DocumentReader {
  readonly #usage = new AnthropicUsage()
  #messageModel: string | null = null
  #hasError = false
  #isOpen = false
  isFinished = false

  /** Only the usage reports a fallback: the message keeps the name it began with. */
  get model(): string | null {
    return this.#usage.fallbackModel ?? this.#messageModel
  }

  get isMeasured(): boolean {
    return this.#usage.isKnown
  }

  read(document: JsonObject, event: string | null): void {
    const type = toName(document['type']) ?? event
    if (type === 'message_start') {
      const message = toObject(document['message'])
      this.#isOpen = true
      this.#messageModel = toName(message?.['model']) ?? this.#messageModel
      this.#usage.readOpening(message?.['usage'])
    } else if (type === 'message_stop') {
      this.#isOpen = false
      this.isFinished = true
    } else {
      this.#messageModel = toName(document['model']) ?? this.#messageModel
      this.#usage.read(document['usage'])
    }
    const error = document['error'] ?? null
    this.#hasError ||= type === 'error' || event === 'error' || error !== null
  }

  end(): ShapeReading {
    const report = this.#usage.report(this.#messageModel)
    const { isOutputOpen } = this.#usage
    return { ...report, hasError: this.#hasError, isPartial: this.#isOpen, isOutputOpen }
  }
}
