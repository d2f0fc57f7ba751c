// Cohere: both versions of its API, and its calls in OpenAI's shape.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { cohereOperation } from './shapes/cohere/cohere-operation.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiTranscription } from './shapes/openai/openai-transcription.ts'
import { unmeteredOperation } from './shapes/unmetered-operation.ts'

export const cohere = defineProvider({
  id: 'cohere',
  upstream: ADDRESSES.cohere,
  sample: chatSample({
    path: '/compatibility/v1/chat/completions',
    model: 'command-r7b-12-2024',
    variable: 'COHERE_API_KEY',
  }),
  operations: [
    cohereOperation({ name: 'cohere-chat', path: /^\/v[12]\/chat$/, isText: true }),
    cohereOperation({ name: 'cohere-embed', path: /^\/v[12]\/embed$/ }),
    cohereOperation({ name: 'cohere-rerank', path: /^\/v[12]\/rerank$/ }),
    openaiTranscription('/v2/audio/transcriptions'),
    openaiChat('/compatibility/v1/chat/completions'),
    openaiEmbeddings('/compatibility/v1/embeddings'),
    cohereOperation({ name: 'cohere-parse', path: /^\/v2\/parse$/ }),
    cohereOperation({ name: 'cohere-classify', path: /^\/v1\/classify$/ }),
    cohereOperation({
      name: 'cohere-generate',
      path: /^\/v1\/(?:generate|summarize)$/,
      isText: true,
    }),
    unmeteredOperation({
      name: 'cohere-tokenize',
      path: /^\/v1\/(?:tokenize|detokenize|check-api-key)$/,
    }),
    // Uploads run in jobs, which are refused for keys with allowed models.
    unmeteredOperation({ name: 'cohere-datasets', path: '/v1/datasets' }),
    unmeteredOperation({ name: 'cohere-cancel', path: /^\/v[12]\/[\w-]+\/[^/]+[/:]cancel$/ }),
  ],
})
