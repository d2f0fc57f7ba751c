// xAI: OpenAI's and Anthropic's shapes. A chat's reasoning is separate from its completion tokens.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiImages } from './shapes/openai/openai-images.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'
import { quietOperation, tokenOperation } from './shapes/quiet-operation.ts'
import { xaiChat } from './shapes/xai/xai-chat.ts'
import { xaiCost } from './shapes/xai/xai-cost.ts'
import { unknownCalls } from './shapes/unknown-calls.ts'

export const xai = defineProvider({
  id: 'xai',
  upstream: ADDRESSES.xai,
  sample: chatSample({
    path: '/v1/chat/completions',
    model: 'grok-4-fast',
    variable: 'XAI_API_KEY',
  }),
  unknown: unknownCalls(xaiCost),
  operations: [
    openaiChat('/v1/chat/completions', { addition: xaiChat }),
    openaiResponses('/v1/responses', { addition: xaiCost }),
    anthropicMessages('/v1/messages', { addition: xaiCost }),
    openaiImages(/^\/v1\/images\/(?:generations|edits)$/, { addition: xaiCost }),
    tokenOperation('xai-client-secret', '/v1/realtime/client_secrets'),
    quietOperation({ name: 'xai-tokenize', path: '/v1/tokenize-text' }),
  ],
})
