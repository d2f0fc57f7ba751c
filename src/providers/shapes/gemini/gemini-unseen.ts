// Calls of Google's APIs whose answers do not report their cost: background videos, rented caches.
// Recorded without usage, so that they show as a gap and do not look free.

import { namesIn } from '../../names/model-names.ts'
import type { Operation } from '../../provider.ts'
import { SILENT } from '../document-reader.ts'
import { geminiNames } from './gemini-generate.ts'
import {
  createResourceModelReader,
  matchMethods,
  readPathModel,
  toModelName,
} from './gemini-path.ts'
import type { ModelRoute } from './gemini-path.ts'

/** Videos and the like: the answer is the name of a job. */
export function geminiLongRunning(route: ModelRoute): Operation {
  return {
    name: 'gemini-long-running',
    matches: matchMethods(route, ['predictLongRunning']),
    createModelReader: readPathModel(route),
    createNamesReader: geminiNames(route, ['instances']),
    createUsageReader: () => SILENT,
  }
}

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
