// Mistral's document reading, which is billed per page.

import { namesIn } from '../names/model-names.ts'
import type { Operation } from '../provider.ts'
import { createBodyModelReader } from './body-model.ts'
import { readDocuments } from './document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from './document-reader.ts'
import type { JsonObject } from './json-leaves.ts'
import { toFigure, toName, toObject } from './json-leaves.ts'

const OCR: DocumentShape = {
  needles: ['"usage_info"', '"error"'],
  modelNeedles: ['"model"'],
  members: { model: true, usage_info: true, error: true },
  createReader: () => new OcrReader(),
}

export function mistralOcr(path: string): Operation {
  return {
    name: 'mistral-ocr',
    matches: (request) => request.method === 'POST' && request.path === path,
    createModelReader: createBodyModelReader,
    createNamesReader: namesIn({ content: ['document'] }),
    createUsageReader: readDocuments(OCR),
  }
}

class OcrReader implements DocumentReader {
  model: string | null = null
  #pages: number | null = null
  #hasError = false

  read(document: JsonObject): void {
    this.model = toName(document['model']) ?? this.model
    this.#pages = toFigure(toObject(document['usage_info'])?.['pages_processed']) ?? this.#pages
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    return {
      tokens: null,
      hasError: this.#hasError,
      toolCalls: this.#pages === null ? {} : { page: this.#pages },
      isWithoutTokens: this.#pages !== null,
    }
  }
}
