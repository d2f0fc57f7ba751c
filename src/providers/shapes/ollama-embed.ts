// Ollama's own embeddings. The older call reports no usage.

import { createTokenCounts } from '../../core/token-counts.ts'
import type { Operation } from '../provider.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from './document-reader.ts'
import type { JsonObject } from './json-leaves.ts'
import { toFigure, toName } from './json-leaves.ts'
import { modelOperation } from './model-operation.ts'

const EMBED: DocumentShape = {
  needles: ['prompt_eval_count', '"error"'],
  modelNeedles: ['"model"'],
  members: { model: true, prompt_eval_count: true, error: true },
  createReader: () => new EmbedReader(),
}

/** `path` is anchored at both ends. */
export function ollamaEmbed(path: RegExp): Operation {
  return modelOperation({ name: 'ollama-embed', path, answer: EMBED })
}

class EmbedReader implements DocumentReader {
  model: string | null = null
  #input: number | null = null
  #hasError = false

  read(document: JsonObject): void {
    this.model = toName(document['model']) ?? this.model
    this.#input = toFigure(document['prompt_eval_count']) ?? this.#input
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    const tokens = this.#input === null ? null : createTokenCounts({ input: this.#input })
    return { tokens, hasError: this.#hasError }
  }
}
