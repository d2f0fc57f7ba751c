// OpenAI's embeddings: one object, mostly skipped numbers. Nothing in it counts as output.

import type { Operation } from '../../provider.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { modelOperation } from '../model-operation.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'
import { OpenaiUsage } from './openai-usage.ts'

const EMBEDDINGS: DocumentShape = {
  needles: ['_tokens"', 'error'],
  modelNeedles: ['"model"'],
  members: { model: true, usage: true, error: true },
  createReader: () => new EmbeddingsReader(),
}

export function openaiEmbeddings(path: PathPattern, options: ModelOptions = {}): Operation {
  return modelOperation({ ...options, name: 'openai-embeddings', path, answer: EMBEDDINGS })
}

class EmbeddingsReader implements DocumentReader {
  readonly #usage = new OpenaiUsage()
  model: string | null = null
  #hasError = false

  read(document: JsonObject): void {
    this.model = toName(document['model']) ?? this.model
    const usage = toObject(document['usage'])
    // Some servers report the total alone, which is all input, and others no output as null.
    if (usage !== null) {
      const output = usage['completion_tokens'] ?? undefined
      this.#usage.read({
        input_tokens: usage['total_tokens'],
        ...usage,
        completion_tokens: output,
      })
    }
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    return { tokens: this.#usage.tokens(), hasError: this.#hasError }
  }
}
