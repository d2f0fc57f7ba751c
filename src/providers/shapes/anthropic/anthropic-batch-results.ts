// The results of an Anthropic batch, one line per request; only successful ones have usage.

import type { Operation } from '../../provider.ts'
import { AnthropicUsage } from './anthropic-usage.ts'
import { batchResults } from '../batch-results.ts'
import type { BatchLine } from '../batch-results.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'

/** `GET {base}/messages/batches/{id}/results`. */
export function anthropicBatchResults(base: string): Operation {
  return batchResults({
    name: 'anthropic-batch-results',
    path: new RegExp(`^${RegExp.escape(base)}/messages/batches/(?<id>[^/]+)/results$`),
    countedAs: 'batch',
    members: {
      custom_id: true,
      result: { type: true, message: { model: true, usage: true } },
    },
    readLine,
  })
}

function readLine(line: JsonObject): BatchLine | null {
  const result = toObject(line['result'])
  if (typeof line['custom_id'] !== 'string' || result === null) return null
  const message = toObject(result['message'])
  if (result['type'] !== 'succeeded' || message === null) return { shares: [] }
  const model = toName(message['model'])
  const usage = new AnthropicUsage()
  usage.read(message['usage'])
  const { tokens, shares, toolCalls, serviceTier } = usage.report(model)
  if (tokens === null) return { shares: [] }
  return {
    shares: shares ?? [{ model: usage.fallbackModel ?? model, tokens }],
    toolCalls,
    // A batch has its tier whatever a line says; other price factors are added to it.
    serviceTier: serviceTier === null || serviceTier === 'standard' ? 'batch' : serviceTier,
  }
}
