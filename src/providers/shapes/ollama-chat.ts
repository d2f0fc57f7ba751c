// Ollama's own chat and generate: lines of JSON, of which the last reports usage, or that one
// alone. Must stay true: a cached prompt is not reported, which means partial, not zero.

import { createTokenCounts } from '../../core/token-counts.ts'
import type { Operation } from '../provider.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from './document-reader.ts'
import type { JsonObject } from './json-leaves.ts'
import { toFigure, toName } from './json-leaves.ts'
import { modelOperation } from './model-operation.ts'

const OLLAMA: DocumentShape = {
  // Older servers' last line has no reason; the last line of a mere loading has no counts.
  needles: ['eval_count', 'done_reason', '"error"'],
  modelNeedles: ['"model"'],
  texts: ['content', 'response', 'thinking'],
  framing: 'lines',
  members: {
    model: true,
    done: true,
    done_reason: true,
    prompt_eval_count: true,
    eval_count: true,
    error: true,
  },
  createReader: () => new OllamaReader(),
}

const SHARED = { content: ['suffix', 'template', 'context'], answer: OLLAMA }

export function ollamaChat(path: string): Operation {
  return modelOperation({ ...SHARED, name: 'ollama-chat', path })
}

export function ollamaGenerate(path: string): Operation {
  return modelOperation({ ...SHARED, name: 'ollama-generate', path })
}

/** An empty prompt loads the model into memory, or unloads it. */
const NO_RUN: ReadonlySet<string> = new Set(['load', 'unload'])

class OllamaReader implements DocumentReader {
  model: string | null = null
  isFinished = false
  #input: number | null = null
  #output: number | null = null
  #reason: string | null = null
  #hasError = false

  read(document: JsonObject): void {
    this.model = toName(document['model']) ?? this.model
    this.#input = toFigure(document['prompt_eval_count']) ?? this.#input
    this.#output = toFigure(document['eval_count']) ?? this.#output
    this.#reason = toName(document['done_reason']) ?? this.#reason
    this.isFinished ||= document['done'] === true
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  get isMeasured(): boolean {
    return this.#input !== null || this.#output !== null
  }

  end(): ShapeReading {
    const input = this.#input
    const output = this.#output
    const isNothing = input === null && output === null
    return {
      tokens: isNothing ? null : createTokenCounts({ input: input ?? 0, output: output ?? 0 }),
      isPartial: input === null || output === null,
      hasError: this.#hasError,
      ...(isNothing && NO_RUN.has(this.#reason ?? '') ? { isCharged: false } : {}),
    }
  }
}
