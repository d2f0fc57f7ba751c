// The OpenAPI document and its page, made on first use and kept: generating them is slow.

import type { OpenApiDocument } from './openapi-document.ts'
import { renderReferencePage } from './reference-page.ts'

export interface Reference {
  readDocument(): string
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
