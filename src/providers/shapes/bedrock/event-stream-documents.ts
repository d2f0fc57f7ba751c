// The JSON documents of an AWS event stream. A damaged or cut stream never counts as whole.

import { createEventStreamScanner } from '../../../wire/sse/event-stream.ts'
import { parseJson } from '../../../wire/json/json-members.ts'
import type { BodyDocuments, BodyDocumentsOptions } from '../body-documents.ts'
import { FAULTS_MAX } from '../document-pieces.ts'
import { toObject } from '../json-leaves.ts'

/** Every fault that ends a stream is output under this name. */
export const FAULT = 'error'

export function createEventStreamDocuments(options: BodyDocumentsOptions): BodyDocuments {
  let faults = 0
  const scanner = createEventStreamScanner({
    needles: options.needles,
    onPassing: options.onPassing,
    onMessage({ isEvent, name, payload }) {
      const document = faults > FAULTS_MAX ? null : toObject(parseJson(payload))
      if (!isEvent) options.onDocument({ ...document, __type: name }, FAULT)
      else if (document === null) faults += 1
      else options.onDocument(document, name)
    },
  })
  return {
    feed: (bytes) => scanner.feed(bytes),
    end(isWhole) {
      const { isBroken, isOpen, skippedMessages } = scanner
      return {
        isComplete: isWhole && !isBroken && !isOpen,
        isMalformed: faults > 0 || isBroken,
        skippedEvents: skippedMessages,
      }
    },
    setNeedles: (needles) => scanner.setNeedles(needles),
  }
}
