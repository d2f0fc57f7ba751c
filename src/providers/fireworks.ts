// Fireworks AI: OpenAI's and Anthropic's shapes. Models are `accounts/{account}/models/{model}`.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { tokenOperation } from './shapes/unmetered-operation.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'

export const fireworks = defineProvider({
  id: 'fireworks',
  upstream: ADDRESSES.fireworks,
  sample: chatSample({
    path: '/inference/v1/chat/completions',
    model: 'accounts/fireworks/models/gpt-oss-20b',
    variable: 'FIREWORKS_API_KEY',
  }),
  operations: [
    openaiChat('/inference/v1/chat/completions'),
    openaiCompletions('/inference/v1/completions'),
    openaiEmbeddings('/inference/v1/embeddings'),
    anthropicMessages('/inference/v1/messages'),
    openaiResponses('/inference/v1/responses'),
    tokenOperation('fireworks-key', /^\/v1\/accounts\/[^/]+\/users\/[^/]+\/apiKeys$/),
  ],
})
