// A form's `model` field, for the record; calls that take a form or JSON are read as either.

import type { ModelReader, RequestView } from '../provider.ts'
import { createBodyModelReader, createKnownModelReader } from './body-model.ts'
import { findBoundary, FormFields } from './form-fields.ts'

const MULTIPART = /^\s*multipart\//i

export function isForm(request: RequestView): boolean {
  return MULTIPART.test(request.header('content-type') ?? '')
}

/** For calls that take a form or JSON. */
export function createFormModelReader(request: RequestView): ModelReader {
  if (!isForm(request)) return createBodyModelReader()
  const boundary = findBoundary(request.header('content-type') ?? '')
  if (boundary === null) return createKnownModelReader(null)
  const fields = new FormFields(boundary, ['model'])
  return {
    feed(bytes) {
      fields.feed(bytes)
      return fields.isDone
    },
    end: () => fields.find('model'),
  }
}
