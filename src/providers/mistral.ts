// Mistral: OpenAI's chat under several paths, and its own calls. A stream's last chunk has the
// usage, unasked. Agents and continued conversations do not show their model.

import { ADDRESSES } from './directory.ts'
import { hiddenNames, namesIn } from './requested-models/model-names.ts'
import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { mistralOcr } from './shapes/mistral-ocr.ts'
import { mistralUsage } from './shapes/mistral-usage.ts'
import { openaiBatchResults } from './shapes/openai/openai-batch-results.ts'
import { CHAT, openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { modelOperation } from './shapes/model-operation.ts'
import type { ModelOperation } from './shapes/model-operation.ts'
import { openaiSpeech } from './shapes/openai/openai-speech.ts'
import { unmeteredOperation } from './shapes/unmetered-operation.ts'

const addition = mistralUsage
const createNamedReader = namesIn()
const createHiddenReader = hiddenNames('an agent or a conversation keeps its model out of sight')

export const mistral = defineProvider({
  id: 'mistral',
  upstream: ADDRESSES.mistral,
  sample: chatSample({
    path: '/v1/chat/completions',
    model: 'mistral-small-latest',
    variable: 'MISTRAL_API_KEY',
  }),
  operations: [
    openaiChat('/v1/chat/completions', { addition }),
    openaiEmbeddings('/v1/embeddings', { addition }),
    chatLike({ name: 'mistral-fim', path: '/v1/fim/completions' }),
    {
      ...chatLike({ name: 'mistral-agent', path: '/v1/agents/completions' }),
      createNamesReader: createHiddenReader,
    },
    {
      ...chatLike({
        name: 'mistral-conversation',
        path: /^\/v1\/conversations(?:\/[^/]+(?:\/restart)?)?$/,
      }),
      createNamesReader: (request) =>
        request.path === '/v1/conversations'
          ? createNamedReader(request)
          : createHiddenReader(request),
    },
    mistralOcr('/v1/ocr'),
    chatLike({
      name: 'mistral-transcription',
      path: '/v1/audio/transcriptions',
      body: 'json-or-form',
    }),
    openaiSpeech('/v1/audio/speech', { isByCharacters: true }),
    // Nothing reports what these used.
    chatLike({
      name: 'mistral-classification',
      path: /^\/v1\/(?:chat\/)?(?:moderations|classifications)$/,
    }),
    openaiBatchResults('/v1'),
    unmeteredOperation({
      name: 'mistral-files',
      path: '/v1/files',
      createNamesReader: hiddenNames('an uploaded file can name models out of sight'),
    }),
    unmeteredOperation({
      name: 'mistral-batches',
      path: '/v1/batch/jobs',
      createNamesReader: hiddenNames('the models of a batch stand in a file'),
    }),
    unmeteredOperation({
      name: 'mistral-batch-cancel',
      path: /^\/v1\/batch\/jobs\/[^/]+\/cancel$/,
    }),
  ],
})

function chatLike(options: Pick<ModelOperation, 'name' | 'path' | 'body'>): Operation {
  return modelOperation({ ...options, addition, answer: CHAT })
}
