// Together AI: OpenAI's shapes as they stand.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiImages } from './shapes/openai/openai-images.ts'

export const together = defineProvider({
  id: 'together',
  upstream: ADDRESSES.together,
  sample: chatSample({
    path: '/v1/chat/completions',
    model: 'openai/gpt-oss-20b',
    variable: 'TOGETHER_API_KEY',
  }),
  operations: [
    openaiChat('/v1/chat/completions'),
    openaiCompletions('/v1/completions'),
    openaiEmbeddings('/v1/embeddings'),
    openaiImages('/v1/images/generations'),
  ],
})
