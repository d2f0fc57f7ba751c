// Cohere's calls that run a model. No answer names its model, so the requested one is recorded.

import type { JsonShape } from '../../../wire/json/json-members.ts'
import type { Operation } from '../../provider.ts'
import { toCohereFigures } from './cohere-usage.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { modelOperation } from '../model-operation.ts'

/** The first version has figures in `meta`, the second in `usage`. */
const ANSWER: JsonShape = { meta: true, usage: true, finish_reason: true, error: true }

const COHERE: DocumentShape = {
  needles: ['message-end"', 'stream-end"', 'billed_units', '_tokens"', '"error"'],
  framing: 'lines',
  members: { ...ANSWER, type: true, event_type: true, delta: ANSWER, response: ANSWER },
  createReader: () => new CohereReader(),
}

/** What a model writes, thinks or passes to a tool, in either version. */
const TEXTS = ['text', 'thinking', 'tool_plan', 'arguments']

/** The caller's texts, by the first version's names. */
const CONTENT = ['message', 'chat_history', 'preamble', 'tool_results', 'examples']

export interface CohereOperationOptions {
  readonly name: string
  /** Anchored at both ends. */
  readonly path: RegExp
  readonly isText?: true
}

export function cohereOperation({ name, path, isText }: CohereOperationOptions): Operation {
  const answer = isText === true ? { ...COHERE, texts: TEXTS } : COHERE
  return modelOperation({ name, path, content: CONTENT, answer })
}

class CohereReader implements DocumentReader {
  readonly model = null
  isFinished = false
  #usage: JsonObject | null = null
  #hasError = false

  read(document: JsonObject, event: string | null): void {
    const type = toName(document['type']) ?? toName(document['event_type'])
    this.isFinished ||= type === 'message-end' || type === 'stream-end'
    // A stream's last event wraps what a single answer has at its root.
    const answer = toObject(document['delta']) ?? toObject(document['response']) ?? document
    this.#usage = toObject(answer['usage']) ?? toObject(answer['meta']) ?? this.#usage
    const reason = toName(answer['finish_reason']) ?? toName(document['finish_reason']) ?? ''
    const error = document['error'] ?? answer['error'] ?? null
    this.#hasError ||= event === 'error' || error !== null || isFault(reason)
  }

  get isMeasured(): boolean {
    return this.#usage !== null
  }

  end(): ShapeReading {
    const { tokens, toolCalls } = toCohereFigures(this.#usage)
    const isWithoutTokens = tokens === null && Object.keys(toolCalls).length > 0
    return { tokens, toolCalls, isWithoutTokens, hasError: this.#hasError }
  }
}

/** `ERROR`, `ERROR_TOXIC`, `TIMEOUT`: others, such as `MAX_TOKENS`, are normal ends. */
function isFault(reason: string): boolean {
  return reason.startsWith('ERROR') || reason === 'TIMEOUT'
}
