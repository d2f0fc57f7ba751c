// Every call of Cohere's API that runs a model: one JSON object, a stream of events (second
// version) or lines of JSON (first version). No answer names its model, so the one that was asked
// for stands.

import type { JsonShape } from '../../wire/json/json-members.ts'
import { namesIn } from '../names/model-names.ts'
import type { Operation } from '../provider.ts'
import { createBodyModelReader } from './body-model.ts'
import { toCohereFigures } from './cohere-usage.ts'
import { readDocuments } from './document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from './document-reader.ts'
import type { JsonObject } from './json-leaves.ts'
import { toName, toObject } from './json-leaves.ts'

/** Where the first version keeps the figures, and the second. */
const ANSWER: JsonShape = { meta: true, usage: true, finish_reason: true, error: true }

const COHERE: DocumentShape = {
  needles: ['message-end"', 'stream-end"', 'billed_units', '_tokens"', '"error"'],
  framing: 'lines',
  members: { ...ANSWER, type: true, event_type: true, delta: ANSWER, response: ANSWER },
  createReader: () => new CohereReader(),
}

/** What a model writes, thinks, or gives to a tool, in either version. */
const TEXTS = ['text', 'thinking', 'tool_plan', 'arguments']

/** What a caller writes to the model, under the names of the first version. */
const CONTENT = ['message', 'chat_history', 'preamble', 'tool_results', 'examples']

export interface CohereOperationOptions {
  readonly name: string
  /** A pattern with both ends fixed. */
  readonly path: RegExp
  /** The call produces text. */
  readonly isText?: true
}

export function cohereOperation({ name, path, isText }: CohereOperationOptions): Operation {
  return {
    name,
    matches: (request) => request.method === 'POST' && path.test(request.path),
    createModelReader: createBodyModelReader,
    createNamesReader: namesIn({ content: CONTENT }),
    createUsageReader: readDocuments(isText === true ? { ...COHERE, texts: TEXTS } : COHERE),
  }
}

class CohereReader implements DocumentReader {
  readonly model = null
  isFinished = false
  #usage: JsonObject | null = null
  #hasError = false

  read(document: JsonObject, event: string | null): void {
    const type = toName(document['type']) ?? toName(document['event_type'])
    this.isFinished ||= type === 'message-end' || type === 'stream-end'
    // A stream's last event wraps what an answer of one piece has at its root.
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

/** `ERROR`, `ERROR_TOXIC`, `TIMEOUT`: others, such as `MAX_TOKENS`, are proper ends. */
function isFault(reason: string): boolean {
  return reason.startsWith('ERROR') || reason === 'TIMEOUT'
}
