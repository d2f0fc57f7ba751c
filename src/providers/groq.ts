// Groq: OpenAI's shapes, with a member of its own for what those do not report.

import { ADDRESSES } from './directory.ts'
import { hiddenNames } from './requested-models/model-names.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { groqUsage } from './shapes/groq-usage.ts'
import { openaiBatchResults } from './shapes/openai/openai-batch-results.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'
import { openaiSpeech } from './shapes/openai/openai-speech.ts'
import { openaiTranscription, openaiTranslation } from './shapes/openai/openai-transcription.ts'
import { unmeteredOperation } from './shapes/unmetered-operation.ts'

const BASE = '/openai/v1'

/** console.groq.com/docs/speech-to-text: every request is billed for ten seconds at least. */
const SOUND = { billedMsMin: 10_000 }

export const groq = defineProvider({
  id: 'groq',
  upstream: ADDRESSES.groq,
  sample: chatSample({
    path: '/openai/v1/chat/completions',
    model: 'llama-3.1-8b-instant',
    variable: 'GROQ_API_KEY',
  }),
  operations: [
    openaiChat(`${BASE}/chat/completions`, { addition: groqUsage }),
    openaiTranscription(`${BASE}/audio/transcriptions`, SOUND),
    openaiTranslation(`${BASE}/audio/translations`, SOUND),
    openaiSpeech(`${BASE}/audio/speech`),
    openaiResponses(`${BASE}/responses`),
    openaiEmbeddings(`${BASE}/embeddings`),
    openaiBatchResults(BASE),
    unmeteredOperation({
      name: 'groq-files',
      path: `${BASE}/files`,
      createNamesReader: hiddenNames('an uploaded file can name models out of sight'),
    }),
    unmeteredOperation({
      name: 'groq-batches',
      path: `${BASE}/batches`,
      createNamesReader: hiddenNames('the models of a batch stand in a file'),
    }),
    unmeteredOperation({
      name: 'groq-batch-cancel',
      path: /^\/openai\/v1\/batches\/[^/]+\/cancel$/,
    }),
  ],
})
