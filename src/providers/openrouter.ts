// OpenRouter: OpenAI's and Anthropic's shapes. Answers report the charge and the model that ran.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiImages } from './shapes/openai/openai-images.ts'
import { modelOperation } from './shapes/model-operation.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'
import { openaiSpeech } from './shapes/openai/openai-speech.ts'
import { openaiTranscription } from './shapes/openai/openai-transcription.ts'
import { openrouterBilling } from './shapes/openrouter-billing.ts'
import { tokenOperation } from './shapes/unmetered-operation.ts'
import { unknownCalls } from './shapes/unknown-calls.ts'

const BASE = '/api/v1'
const options = {
  addition: openrouterBilling,
  // A list of models is enough: the first available one runs.
  naming: ['models'],
}

const FORMS = 'json-or-form'
const unknown = unknownCalls(openrouterBilling)

export const openrouter = defineProvider({
  id: 'openrouter',
  upstream: ADDRESSES.openrouter,
  sample: chatSample({
    path: '/api/v1/chat/completions',
    model: 'openai/gpt-4o-mini',
    variable: 'OPENROUTER_API_KEY',
  }),
  unknown,
  operations: [
    openaiChat(`${BASE}/chat/completions`, options),
    openaiResponses(`${BASE}/responses`, options),
    anthropicMessages(`${BASE}/messages`, options),
    openaiCompletions(`${BASE}/completions`, options),
    openaiEmbeddings(`${BASE}/embeddings`, options),
    openaiImages(/^\/api\/v1\/images(?:\/(?:generations|edits))?$/, { ...options, body: FORMS }),
    openaiTranscription(`${BASE}/audio/transcriptions`, { ...options, body: FORMS }),
    openaiSpeech(`${BASE}/audio/speech`, options),
    modelOperation({
      ...options,
      name: 'openrouter-rerank',
      path: `${BASE}/rerank`,
      answer: (request, response) => unknown.createUsageReader(request, response),
    }),
    tokenOperation('openrouter-key', /^\/api\/v1\/(?:keys|auth\/keys(?:\/code)?)$/),
  ],
})
