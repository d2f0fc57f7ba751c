// An OpenAI batch's output. All files are downloaded under one path: the first line shows the kind.

import type { Operation } from '../../provider.ts'
import { batchResults } from '../batch-results.ts'
import type { BatchLine } from '../batch-results.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { patternUnder } from '../model-operation.ts'
import type { PathPattern } from '../model-operation.ts'
import { RESPONSE_USAGE, readResponseUsage } from './openai-response-usage.ts'

/** `GET {base}/files/{id}/content`. */
export function openaiBatchResults(base: PathPattern): Operation {
  return batchResults({
    name: 'openai-batch-results',
    path: patternUnder(base, '/files/(?<id>[^/]+)/content'),
    countedAs: 'batch-file',
    members: { custom_id: true, response: { body: { ...RESPONSE_USAGE, model: true } } },
    readLine,
  })
}

/** Bodies are of chat completions, Responses or embeddings, whose members do not collide. */
function readLine(line: JsonObject): BatchLine | null {
  if (typeof line['custom_id'] !== 'string') return null
  const body = toObject(toObject(line['response'])?.['body'])
  if (body === null) return { shares: [] }
  const own = toName(body['model'])
  const { tokens, toolCalls, shares } = readResponseUsage(body)
  if (tokens === null) return { shares: [] }
  const parts = shares ?? [{ model: own, tokens }]
  return {
    shares: parts.map((part) => ({ model: part.model ?? own, tokens: part.tokens })),
    toolCalls,
  }
}
