// OpenAI's speech. Plain sound reports no usage, so that the characters of the request are counted;
// sent as events, its last one does.

import type { Operation } from '../../provider.ts'
import { withUnitsFromRequest } from '../units-from-request.ts'
import { readDocuments, SILENT } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName } from '../json-leaves.ts'
import { spokenText } from '../spoken-text.ts'
import { modelOperation } from '../model-operation.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'
import { OpenaiUsage } from './openai-usage.ts'

const SPEECH = {
  needles: ['_tokens"', '.done"', '"error"', '[DONE]'],
  members: { usage: true, error: true },
} as const

const EVENTS_TYPE = /^\s*text\/event-stream\b/i

export interface OpenaiSpeechOptions extends ModelOptions {
  /** Tokens are reported, and not billed. */
  readonly isByCharacters?: true
  /** The request's member with the text, where that is not `input`. */
  readonly text?: string
}

export function openaiSpeech(path: PathPattern, options: OpenaiSpeechOptions = {}): Operation {
  const isByTokens = options.isByCharacters !== true
  const shape: DocumentShape = { ...SPEECH, createReader: () => new SpeechReader(isByTokens) }
  const createReader = readDocuments(shape, options.addition)
  const operation = modelOperation({
    ...options,
    name: 'openai-speech',
    path,
    // Sound can begin with any byte, so here the content type decides.
    answer: (request, response) =>
      EVENTS_TYPE.test(response.header('content-type') ?? '')
        ? createReader(request, response)
        : SILENT,
  })
  return withUnitsFromRequest(operation, spokenText(options.text ?? 'input'))
}

class SpeechReader implements DocumentReader {
  readonly #usage = new OpenaiUsage()
  readonly model = null
  isFinished = false
  readonly #isByTokens: boolean
  #hasError = false

  constructor(isByTokens: boolean) {
    this.#isByTokens = isByTokens
  }

  read(document: JsonObject, event: string | null): void {
    const type = toName(document['type']) ?? event
    this.#usage.read(document['usage'])
    this.isFinished ||= type?.endsWith('.done') === true
    this.#hasError ||= type === 'error' || (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    const tokens = this.#isByTokens ? this.#usage.tokens() : null
    return { tokens, hasError: this.#hasError }
  }
}
