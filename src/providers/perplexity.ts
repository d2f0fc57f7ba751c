// Perplexity: OpenAI's shapes, with the cost of each call in its usage.

import { ADDRESSES } from './directory.ts'
import { noNames } from './requested-models/model-names.ts'
import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { SILENT } from './shapes/document-reader.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { matchPath } from './shapes/model-operation.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'
import { perplexityCost } from './shapes/perplexity-cost.ts'
import { tokenOperation } from './shapes/unmetered-operation.ts'
import { unknownCalls } from './shapes/unknown-calls.ts'

const addition = perplexityCost

/** Billed per request; it runs no model and does not report its cost. */
const search: Operation = {
  name: 'perplexity-search',
  matches: matchPath('POST', '/search'),
  createModelReader: () => null,
  createNamesReader: noNames,
  createUsageReader: () => SILENT,
}

export const perplexity = defineProvider({
  id: 'perplexity',
  upstream: ADDRESSES.perplexity,
  sample: chatSample({
    path: '/chat/completions',
    model: 'sonar',
    variable: 'PERPLEXITY_API_KEY',
  }),
  unknown: unknownCalls(perplexityCost),
  operations: [
    openaiChat(/^(?:\/v1)?\/chat\/completions$/, { addition }),
    // A list of models is enough: the first available one runs.
    openaiResponses('/v1/responses', { addition, naming: ['models'] }),
    openaiEmbeddings(/^\/v1\/(?:contextualized)?embeddings$/, { addition }),
    search,
    tokenOperation('perplexity-auth-token', '/generate_auth_token'),
  ],
})
