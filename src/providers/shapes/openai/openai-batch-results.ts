// The output file of one of OpenAI's batches. Any file is downloaded under the same path, so what
// it is shows in its first line.

import type { Operation } from '../../provider.ts'
import { batchResults } from '../batch-results.ts'
import type { BatchLine } from '../batch-results.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { patternUnder } from './openai-operation.ts'
import type { PathPattern } from './openai-operation.ts'
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

/**
 * The bodies are those of chat completions, Responses and embeddings, whose words do not collide.
 */
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
