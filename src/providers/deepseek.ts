// DeepSeek: OpenAI's and Anthropic's shapes. It can send blank lines while a call is queued.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'

export const deepseek = defineProvider({
  id: 'deepseek',
  upstream: ADDRESSES.deepseek,
  sample: chatSample({
    path: '/chat/completions',
    model: 'deepseek-chat',
    variable: 'DEEPSEEK_API_KEY',
  }),
  operations: [
    openaiChat(/^(?:\/v1|\/beta)?\/chat\/completions$/),
    // Fill-in-the-middle completion exists under the beta base only.
    openaiCompletions('/beta/completions'),
    openaiResponses(/^(?:\/v1)?\/responses$/),
    anthropicMessages('/anthropic/v1/messages'),
  ],
})
