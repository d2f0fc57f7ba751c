// Anthropic's old text completions, which report the model that ran but never the usage.

import type { Operation } from '../../provider.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName } from '../json-leaves.ts'
import { modelOperation } from '../model-operation.ts'

const COMPLETE: DocumentShape = {
  needles: ['"error"', 'event: error', 'event:error'],
  modelNeedles: ['"model"'],
  members: { model: true, error: true },
  texts: ['completion'],
  createReader: () => new CompleteReader(),
}

export function anthropicComplete(path: string): Operation {
  return modelOperation({ name: 'anthropic-complete', path, answer: COMPLETE })
}

class CompleteReader implements DocumentReader {
  model: string | null = null
  #hasError = false

  read(document: JsonObject, event: string | null): void {
    this.model = toName(document['model']) ?? this.model
    this.#hasError ||= event === 'error' || (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    return { tokens: null, hasError: this.#hasError }
  }
}
