// The texts of the OpenAPI document and of its page. Both are made when they are first asked for
// and kept: making them takes the time of many answers.

import type { OpenApiDocument } from './openapi-document.ts'
import { renderReferencePage } from './reference-page.ts'

export interface Reference {
  /** As JSON. */
  readDocument(): string
  /** As HTML. */
  readPage(): string
}

export function createReference(createDocument: () => OpenApiDocument): Reference {
  let document: string | null = null
  let page: string | null = null
  return {
    readDocument: () => (document ??= JSON.stringify(createDocument())),
    readPage: () => (page ??= renderReferencePage(createDocument())),
  }
}
