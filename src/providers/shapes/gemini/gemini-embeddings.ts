// Gemini's embedContent and batchEmbedContents. Only Vertex reports usage for most models. Must
// stay true: where films have a price of their own, what may be one is not taken for text.

import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import { methodsOf, toModelName } from './gemini-path.ts'
import type { ModelRoute } from './gemini-path.ts'
import { GeminiUsage } from './gemini-usage.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName } from '../json-leaves.ts'

const EMBEDDINGS: Omit<DocumentShape, 'createReader'> = {
  needles: ['usageMetadata', '"error"'],
  framing: 'array',
  members: { usageMetadata: true, modelVersion: true, error: true },
}

/** A film's tokens cost sixty times those of a text. */
const TAKES_FILMS = /^gemini-embedding-2/

/** In a batch each request names a model too, and a policy must allow all of them. */
export function geminiEmbeddings(route: ModelRoute): Operation {
  return {
    name: 'gemini-embeddings',
    ...methodsOf(route, ['embedContent', 'batchEmbedContents']),
    createUsageReader: readDocuments({
      ...EMBEDDINGS,
      createReader: (request) => new EmbeddingsReader(route(request.path)?.model ?? null),
    }),
  }
}

class EmbeddingsReader implements DocumentReader {
  readonly #usage = new GeminiUsage()
  readonly #requestedModel: string | null
  model: string | null = null
  #hasError = false

  constructor(requestedModel: string | null) {
    this.#requestedModel = requestedModel
  }

  read(document: JsonObject): void {
    const model = toName(document['modelVersion'])
    if (model !== null) this.model = toModelName(model)
    this.#usage.read(document['usageMetadata'])
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    const { serviceTier, unnamedInput } = this.#usage
    const takesFilms = TAKES_FILMS.test(this.model ?? this.#requestedModel ?? '')
    const toolCalls = takesFilms && unnamedInput > 0 ? { unnamed_token: unnamedInput } : {}
    return { tokens: this.#usage.tokens(), toolCalls, serviceTier, hasError: this.#hasError }
  }
}
