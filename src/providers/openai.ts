// OpenAI's own API.

import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { openaiChat } from './shapes/openai-chat.ts'

export const openai = defineProvider({
  id: 'openai',
  upstream: 'https://api.openai.com',
  operations: openaiOperations('/v1'),
})

export function openaiOperations(base: string): readonly Operation[] {
  return [openaiChat(`${base}/chat/completions`)]
}
