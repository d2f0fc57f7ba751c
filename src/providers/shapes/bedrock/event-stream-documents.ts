// The JSON documents of an AWS event stream. A damaged or cut stream never counts as whole.

import { createEventStreamScanner } from '../../../wire/sse/event-stream.ts'
import { parseJson } from '../../../wire/json/json-members.ts'
import type { BodyDocuments, BodyDocumentsOptions } from '../body-documents.ts'
import { toObject } from '../json-leaves.ts'

/** Every fault that ends a stream is output under this name. */
export const FAULT = 'error'

export function createEventStreamDocuments(options: BodyDocumentsOptions): BodyDocuments {
  let isMalformed = false
  const scanner = createEventStreamScanner({
    needles: options.needles,
    onPassing: options.onPassing,
    onMessage({ isEvent, name, payload }) {
      const document = toObject(parseJson(payload))
      if (!isEvent) options.onDocument(document ?? {}, FAULT)
      else if (document === null) isMalformed = true
      else options.onDocument(document, name)
    },
  })
  return {
    feed: (bytes) => scanner.feed(bytes),
    end(isWhole) {
      const { isBroken, isOpen, skippedMessages } = scanner
      return {
        isComplete: isWhole && !isBroken && !isOpen,
        isMalformed: isMalformed || isBroken,
        skippedEvents: skippedMessages,
      }
    },
    setNeedles: (needles) => scanner.setNeedles(needles),
  }
}
