// OpenRouter: OpenAI's and Anthropic's shapes. Answers report the charge and the model that ran.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'
import { openrouterBilling } from './shapes/openrouter-billing.ts'
import { tokenOperation } from './shapes/quiet-operation.ts'
import { unknownCalls } from './shapes/unknown-calls.ts'

const BASE = '/api/v1'
const options = {
  addition: openrouterBilling,
  // A list of models is enough: the first available one runs.
  naming: ['models'],
}

export const openrouter = defineProvider({
  id: 'openrouter',
  upstream: ADDRESSES.openrouter,
  sample: chatSample({
    path: '/api/v1/chat/completions',
    model: 'openai/gpt-4o-mini',
    variable: 'OPENROUTER_API_KEY',
  }),
  unknown: unknownCalls(openrouterBilling),
  operations: [
    openaiChat(`${BASE}/chat/completions`, options),
    openaiResponses(`${BASE}/responses`, options),
    anthropicMessages(`${BASE}/messages`, options),
    openaiCompletions(`${BASE}/completions`, options),
    openaiEmbeddings(`${BASE}/embeddings`, options),
    tokenOperation('openrouter-key', /^\/api\/v1\/(?:keys|auth\/keys(?:\/code)?)$/),
  ],
})
