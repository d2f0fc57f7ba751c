// DeepSeek: OpenAI's shapes under three bases, and Anthropic's. Cache hits are reported in words of
// its own; blank lines can come before an answer, while it waits for its turn.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'

export const deepseek = defineProvider({
  id: 'deepseek',
  upstream: ADDRESSES.deepseek,
  operations: [
    openaiChat(/^(?:\/v1|\/beta)?\/chat\/completions$/),
    // Completion in the middle of a text is a matter of the beta base only.
    openaiCompletions('/beta/completions'),
    anthropicMessages('/anthropic/v1/messages'),
  ],
})
