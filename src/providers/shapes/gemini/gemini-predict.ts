// The `predict` of Google's APIs: images are counted, embeddings report their tokens one by one.
// Must stay true: an image that was filtered out is not counted, since it is not charged.

import type { JsonShape } from '../../../wire/json/json-members.ts'
import { createTokenCounts } from '../../../core/token-counts.ts'
import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import { methodsOf } from './gemini-path.ts'
import type { ModelRoute } from './gemini-path.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toList, toName, toObject } from '../json-leaves.ts'

/** A call embeds at most 250 texts. */
const PREDICTIONS_MAX = 1024

const PREDICTION: JsonShape = {
  mimeType: true,
  raiFilteredReason: true,
  embeddings: { statistics: true },
}

const PREDICT: DocumentShape = {
  needles: ['predictions', '"error"'],
  framing: 'array',
  members: { predictions: [PREDICTION, PREDICTIONS_MAX], error: true },
  createReader: () => new PredictReader(),
}

export function geminiPredict(route: ModelRoute): Operation {
  return {
    name: 'gemini-predict',
    ...methodsOf(route, ['predict'], { content: ['instances'] }),
    createUsageReader: readDocuments(PREDICT),
  }
}

class PredictReader implements DocumentReader {
  readonly model = null
  #images = 0
  #tokens: number | null = null
  #hasError = false

  read(document: JsonObject): void {
    this.#hasError ||= (document['error'] ?? null) !== null
    for (const each of toList(document['predictions'])) {
      const prediction = toObject(each)
      const tokens = toTokenCount(prediction)
      if (tokens !== null) this.#tokens = (this.#tokens ?? 0) + tokens
      if (isImage(prediction)) this.#images += 1
    }
  }

  end(): ShapeReading {
    const tokens = this.#tokens === null ? null : createTokenCounts({ input: this.#tokens })
    return {
      tokens,
      toolCalls: this.#images > 0 ? { image: this.#images } : {},
      isWithoutTokens: this.#images > 0,
      hasError: this.#hasError,
    }
  }
}

function toTokenCount(prediction: JsonObject | null): number | null {
  const statistics = toObject(toObject(prediction?.['embeddings'])?.['statistics'])
  return toFigure(statistics?.['token_count']) ?? toFigure(statistics?.['tokenCount'])
}

function isImage(prediction: JsonObject | null): boolean {
  const isMade = toName(prediction?.['mimeType'])?.startsWith('image/') === true
  return isMade && (prediction?.['raiFilteredReason'] ?? null) === null
}
