// Gemini's embedContent and batchEmbedContents. Only Vertex reports usage for most models.

import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import { geminiNames } from './gemini-generate.ts'
import { matchMethods, readPathModel, toModelName } from './gemini-path.ts'
import type { ModelRoute } from './gemini-path.ts'
import { GeminiUsage } from './gemini-usage.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName } from '../json-leaves.ts'

const EMBEDDINGS: DocumentShape = {
  needles: ['usageMetadata', '"error"'],
  framing: 'array',
  members: { usageMetadata: true, modelVersion: true, error: true },
  createReader: () => new EmbeddingsReader(),
}

/** In a batch each request names a model too, and a policy must allow all of them. */
export function geminiEmbeddings(route: ModelRoute): Operation {
  return {
    name: 'gemini-embeddings',
    matches: matchMethods(route, ['embedContent', 'batchEmbedContents']),
    createModelReader: readPathModel(route),
    createNamesReader: geminiNames(route),
    createUsageReader: readDocuments(EMBEDDINGS),
  }
}

class EmbeddingsReader implements DocumentReader {
  readonly #usage = new GeminiUsage()
  model: string | null = null
  #hasError = false

  read(document: JsonObject): void {
    const model = toName(document['modelVersion'])
    if (model !== null) this.model = toModelName(model)
    this.#usage.read(document['usageMetadata'])
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    const { serviceTier } = this.#usage
    return { tokens: this.#usage.tokens(), serviceTier, hasError: this.#hasError }
  }
}
