// Ollama: its own calls, OpenAI's and Anthropic's. No default address: it runs anywhere.

import { ADDRESSES } from './directory.ts'
import { hiddenNames } from './requested-models/model-names.ts'
import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { ollamaChat, ollamaGenerate } from './shapes/ollama-chat.ts'
import { ollamaEmbed } from './shapes/ollama-embed.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'
import { unmeteredOperation } from './shapes/unmetered-operation.ts'

export const ollama = defineProvider({
  id: 'ollama',
  upstream: ADDRESSES.ollama,
  sample: chatSample({
    path: '/v1/chat/completions',
    model: 'llama3.2',
    variable: null,
  }),
  errorShape: 'ollama',
  operations: [...ownOperations(), ...compatibleOperations('/v1')],
})

/** Its own calls exist at the root only; the others exist below any base. */
export function ollamaOperations(base: string): readonly Operation[] {
  return [...(base === '' ? ownOperations() : []), ...compatibleOperations(base)]
}

function compatibleOperations(base: string): readonly Operation[] {
  return [
    openaiChat(`${base}/chat/completions`),
    openaiCompletions(`${base}/completions`),
    openaiEmbeddings(`${base}/embeddings`),
    openaiResponses(`${base}/responses`),
    anthropicMessages(`${base}/messages`),
  ]
}

function ownOperations(): readonly Operation[] {
  return [
    ollamaChat('/api/chat'),
    ollamaGenerate('/api/generate'),
    ollamaEmbed(/^\/api\/(?:embed|embeddings)$/),
    unmeteredOperation({ name: 'ollama-models', path: /^\/api\/(?:show|pull|push)$/ }),
    unmeteredOperation({ name: 'ollama-blobs', path: /^\/api\/blobs\/[^/]+$/ }),
    unmeteredOperation({ name: 'ollama-web', path: /^\/api\/web_(?:search|fetch)$/ }),
    unmeteredOperation({
      name: 'ollama-create',
      path: /^\/api\/(?:create|copy)$/,
      createNamesReader: hiddenNames('a model that is made here can stand for any other'),
    }),
  ]
}
