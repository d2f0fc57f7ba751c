// Anthropic's own API.

import { ADDRESSES } from './directory.ts'
import { hiddenNames, namesIn } from './names/model-names.ts'
import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { anthropicBatchResults } from './shapes/anthropic/anthropic-batch-results.ts'
import { anthropicComplete } from './shapes/anthropic/anthropic-complete.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { createBodyModelReader } from './shapes/body-model.ts'
import { SILENT } from './shapes/document-reader.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { quietOperation } from './shapes/quiet-operation.ts'

export const anthropic = defineProvider({
  id: 'anthropic',
  upstream: ADDRESSES.anthropic,
  operations: anthropicOperations('/v1'),
})

export function anthropicOperations(base: string): readonly Operation[] {
  const under = (rest: string): RegExp => new RegExp(`^${RegExp.escape(base)}/${rest}$`)
  return [
    anthropicMessages(`${base}/messages`),
    quietOperation({
      name: 'anthropic-count-tokens',
      path: `${base}/messages/count_tokens`,
      createModelReader: createBodyModelReader,
      createNamesReader: namesIn(),
    }),
    // What a batch used is reported, and due, with its results.
    quietOperation({
      name: 'anthropic-batches',
      path: `${base}/messages/batches`,
      createNamesReader: namesIn({ envelopes: ['requests'] }),
    }),
    anthropicBatchResults(base),
    quietOperation({
      name: 'anthropic-batch-cancel',
      path: under('messages/batches/[^/]+/cancel'),
    }),
    openaiChat(`${base}/chat/completions`),
    anthropicComplete(`${base}/complete`),
    quietOperation({
      name: 'anthropic-storage',
      path: under('(?:files|skills|environments|vaults|memory_stores|user_profiles)(?:/.+)?'),
    }),
    agents(under('(?:agents|sessions|deployments|dreams)(?:/.+)?')),
  ]
}

/** Agents run after the answer to such a call, on models that are not visible here. */
function agents(path: RegExp): Operation {
  return {
    name: 'anthropic-agents',
    matches: (request) => request.method === 'POST' && path.test(request.path),
    createModelReader: () => null,
    createNamesReader: hiddenNames('an agent runs on models that the request does not show'),
    createUsageReader: () => SILENT,
  }
}
