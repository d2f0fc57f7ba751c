// OpenAI's speech. Plain sound reports no usage; sent as events, its last one does.

import type { Operation } from '../../provider.ts'
import { readDocuments, SILENT } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName } from '../json-leaves.ts'
import { openaiOperation } from './openai-operation.ts'
import type { OpenaiOptions, PathPattern } from './openai-operation.ts'
import { OpenaiUsage } from './openai-usage.ts'

const SPEECH: DocumentShape = {
  needles: ['_tokens"', '.done"', '"error"', '[DONE]'],
  members: { usage: true, error: true },
  createReader: () => new SpeechReader(),
}

const EVENTS_TYPE = /^\s*text\/event-stream\b/i

export function openaiSpeech(path: PathPattern, options: OpenaiOptions = {}): Operation {
  const createReader = readDocuments(SPEECH, options.addition)
  return openaiOperation({
    ...options,
    name: 'openai-speech',
    path,
    // Sound can begin with any byte, so here the content type decides.
    createUsageReader: (request, response) =>
      EVENTS_TYPE.test(response.header('content-type') ?? '')
        ? createReader(request, response)
        : SILENT,
  })
}

class SpeechReader implements DocumentReader {
  readonly #usage = new OpenaiUsage()
  readonly model = null
  isFinished = false
  #hasError = false

  read(document: JsonObject, event: string | null): void {
    const type = toName(document['type']) ?? event
    this.#usage.read(document['usage'])
    this.isFinished ||= type?.endsWith('.done') === true
    this.#hasError ||= type === 'error' || (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    return { tokens: this.#usage.tokens(), hasError: this.#hasError }
  }
}
