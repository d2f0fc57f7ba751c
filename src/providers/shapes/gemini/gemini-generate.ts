// Gemini's generateContent and streamGenerateContent: an object, events or an array.

import type { JsonShape } from '../../../wire/json/json-members.ts'
import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import { GeminiGrounding } from './gemini-grounding.ts'
import { methodsOf, toModelName } from './gemini-path.ts'
import type { ModelRoute } from './gemini-path.ts'
import { GeminiUsage } from './gemini-usage.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toList, toName, toObject } from '../json-leaves.ts'
import type { ShapeAddition } from '../shape-addition.ts'

const CANDIDATE: JsonShape = {
  finishReason: true,
  groundingMetadata: { webSearchQueries: true, imageSearchQueries: true, groundingChunks: true },
}

/** Figures may stand on any chunk, so only chunks without them are skipped. */
function createShape(route: ModelRoute): DocumentShape {
  return {
    needles: ['usageMetadata', '"error"', 'groundingMetadata', 'finishReason', 'blockReason'],
    modelNeedles: ['modelVersion'],
    texts: ['text'],
    framing: 'array',
    members: {
      modelVersion: true,
      usageMetadata: true,
      promptFeedback: true,
      error: true,
      candidates: [CANDIDATE],
    },
    createReader: (request) => new GenerateReader(route(request.path)?.model ?? null),
  }
}

export interface GeminiGenerateOptions {
  readonly addition?: ShapeAddition
}

export function geminiGenerate(route: ModelRoute, options: GeminiGenerateOptions = {}): Operation {
  return {
    name: 'gemini-generate',
    ...methodsOf(route, ['generateContent', 'streamGenerateContent']),
    createUsageReader: readDocuments(createShape(route), options.addition),
  }
}

class GenerateReader implements DocumentReader {
  readonly #usage = new GeminiUsage()
  readonly #grounding = new GeminiGrounding()
  readonly #requestedModel: string | null
  model: string | null = null
  isFinished = false
  #hasError = false

  constructor(requestedModel: string | null) {
    this.#requestedModel = requestedModel
  }

  read(document: JsonObject, event: string | null): void {
    const model = toName(document['modelVersion'])
    if (model !== null) this.model = toModelName(model)
    this.#usage.read(document['usageMetadata'])
    const candidates = toList(document['candidates']).map(toObject)
    for (const candidate of candidates) this.#grounding.read(candidate?.['groundingMetadata'])
    this.#hasError ||= event === 'error' || (document['error'] ?? null) !== null
    // No closing event exists: the chunk with the finish reason and the figures is the last.
    const isLast = isBlocked(document) || (candidates.length > 0 && candidates.every(isEnded))
    this.isFinished ||= isLast && toObject(document['usageMetadata']) !== null
  }

  get isMeasured(): boolean {
    return this.#usage.tokens() !== null
  }

  end(): ShapeReading {
    return {
      tokens: this.#usage.tokens(),
      toolCalls: this.#grounding.toolCalls(this.model ?? this.#requestedModel),
      serviceTier: this.#usage.serviceTier,
      hasError: this.#hasError,
    }
  }
}

function isEnded(candidate: JsonObject | null): boolean {
  return toName(candidate?.['finishReason']) !== null
}

function isBlocked(document: JsonObject): boolean {
  return toName(toObject(document['promptFeedback'])?.['blockReason']) !== null
}
