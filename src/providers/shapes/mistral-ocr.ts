// Mistral's document reading, which is billed per page; annotated pages cost more. Some answers
// count these apart, of the others only the request says that all of them are.

import type { Operation, Reading } from '../provider.ts'
import { withUnitsFromRequest } from './units-from-request.ts'
import type { UnitsFromRequest } from './units-from-request.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from './document-reader.ts'
import type { JsonObject } from './json-leaves.ts'
import { toFigure, toName, toObject } from './json-leaves.ts'
import { modelOperation } from './model-operation.ts'

const OCR: DocumentShape = {
  needles: ['"usage_info"', '"error"'],
  modelNeedles: ['"model"'],
  members: { model: true, usage_info: true, error: true },
  createReader: () => new OcrReader(),
}

const FORMATS = ['document_annotation_format', 'bbox_annotation_format']

const annotations: UnitsFromRequest = {
  // Looked into, and not kept: schemas can be large.
  members: Object.fromEntries(FORMATS.map((name) => [name, { type: true }])),
  complete(reading, { members }): Reading {
    const { page, annotated_page: annotated, ...others } = reading.toolCalls
    if (page === undefined) return reading
    if (annotated !== undefined) {
      const toolCalls = { ...others, ...toCounts({ page, annotated_page: annotated }) }
      return { ...reading, toolCalls }
    }
    if (members === null) return { ...reading, kind: 'partial' }
    const isAnnotated = FORMATS.some((name) => (members[name] ?? null) !== null)
    return isAnnotated ? { ...reading, toolCalls: { ...others, annotated_page: page } } : reading
  },
}

/** Without those of which there were none, unless there was nothing at all. */
function toCounts(counts: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const used = Object.entries(counts).filter(([, count]) => count > 0)
  return used.length === 0 ? { page: 0 } : Object.fromEntries(used)
}

export function mistralOcr(path: string): Operation {
  const ocr = modelOperation({ name: 'mistral-ocr', path, content: ['document'], answer: OCR })
  return withUnitsFromRequest(ocr, annotations)
}

class OcrReader implements DocumentReader {
  model: string | null = null
  #pages: number | null = null
  #annotatedPages: number | null = null
  #hasError = false

  read(document: JsonObject): void {
    this.model = toName(document['model']) ?? this.model
    const usage = toObject(document['usage_info'])
    this.#pages = toFigure(usage?.['pages_processed']) ?? this.#pages
    this.#annotatedPages = toFigure(usage?.['pages_processed_annotation']) ?? this.#annotatedPages
    this.#hasError ||= (document['error'] ?? null) !== null
  }

  end(): ShapeReading {
    return {
      tokens: null,
      hasError: this.#hasError,
      toolCalls: this.#toolCalls(),
      isWithoutTokens: this.#pages !== null,
    }
  }

  #toolCalls(): Readonly<Record<string, number>> {
    if (this.#pages === null) return {}
    const page = this.#pages
    // Zero too says something: an annotation that was asked for has not been made.
    return this.#annotatedPages === null ? { page } : { page, annotated_page: this.#annotatedPages }
  }
}
