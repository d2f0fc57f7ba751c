// Cerebras: OpenAI's shapes, with extra times beside the usage. Errors can come inside a stream.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'

export const cerebras = defineProvider({
  id: 'cerebras',
  upstream: ADDRESSES.cerebras,
  sample: chatSample({
    path: '/v1/chat/completions',
    model: 'llama3.1-8b',
    variable: 'CEREBRAS_API_KEY',
  }),
  operations: [openaiChat('/v1/chat/completions'), openaiCompletions('/v1/completions')],
})
