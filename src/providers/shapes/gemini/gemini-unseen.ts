// Calls of Google's APIs whose answers do not report their cost: rented caches. Recorded without
// usage, so that they show as a gap and do not look free.

import { namesIn } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { SILENT } from '../document-reader.ts'
import { createResourceModelReader, toModelName } from './gemini-path.ts'

/** `path` is anchored at both ends. */
export function geminiCachedContents(path: RegExp): Operation {
  return {
    name: 'gemini-cached-contents',
    matches: (request) => request.method === 'POST' && path.test(request.path),
    createModelReader: () => createResourceModelReader(),
    createNamesReader: namesIn({ normalise: toModelName }),
    createUsageReader: () => SILENT,
  }
}
