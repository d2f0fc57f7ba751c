// OpenAI's images, as an object or a stream. Older models are billed per image: these are counted,
// by size where that decides the price.

import { addTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { UsageShare } from '../../../core/usage-event.ts'
import type { NamesOptions } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { withUnitsFromRequest } from '../units-from-request.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toList, toName, toObject } from '../json-leaves.ts'
import { imageSizes } from './openai-image-sizes.ts'
import { readImageUsage } from './openai-image-usage.ts'
import { modelOperation } from '../model-operation.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'
import { OpenaiUsage } from './openai-usage.ts'

/** More than any model makes at once. */
const IMAGES_MAX = 64

const IMAGES: DocumentShape = {
  needles: ['_tokens"', '.completed"', 'error', '[DONE]'],
  modelNeedles: ['"model"'],
  members: { model: true, usage: true, svg_usage: true, error: true, data: [{}, IMAGES_MAX] },
  createReader: () => new ImagesReader(),
}

export interface OpenaiImagesOptions extends ModelOptions {
  /** A form for calls that upload pictures. */
  readonly body?: NonNullable<NamesOptions['body']>
}

export function openaiImages(path: PathPattern, options: OpenaiImagesOptions = {}): Operation {
  const operation = modelOperation({ ...options, name: 'openai-images', path, answer: IMAGES })
  return withUnitsFromRequest(operation, imageSizes)
}

class ImagesReader implements DocumentReader {
  #tokens: TokenCounts | null = null
  /** Usage of a second model, which drew by writing; not part of the first one's. */
  #drawing: UsageShare | null = null
  model: string | null = null
  isFinished = false
  #images = 0
  #hasError = false

  read(document: JsonObject, event: string | null): void {
    const type = toName(document['type']) ?? event
    this.model = toName(document['model']) ?? this.model
    this.#tokens = readImageUsage(toObject(document['usage'])) ?? this.#tokens
    this.#drawing = readDrawing(document['svg_usage']) ?? this.#drawing
    this.#images += toList(document['data']).length
    if (type?.endsWith('.completed')) {
      this.isFinished = true
      this.#images++
    }
    this.#hasError ||= type === 'error' || (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    const tokens = this.#tokens
    const hasError = this.#hasError
    if (tokens !== null && this.#drawing !== null) {
      const shares = [{ model: null, tokens }, this.#drawing]
      return { tokens: addTokenCounts(tokens, this.#drawing.tokens), hasError, shares }
    }
    if (tokens !== null || this.#images === 0) return { tokens, hasError }
    return { tokens, hasError, toolCalls: { image: this.#images }, isWithoutTokens: true }
  }
}

function readDrawing(value: unknown): UsageShare | null {
  const found = toObject(value)
  const model = toName(found?.['model'])
  const usage = new OpenaiUsage()
  const reasoning = toFigure(found?.['reasoning_tokens'])
  usage.read({ ...found, output_tokens_details: { reasoning_tokens: reasoning } })
  const tokens = usage.tokens()
  return model === null || tokens === null ? null : { model, tokens }
}
