// xAI: OpenAI's and Anthropic's shapes. A chat's reasoning is separate from its completion tokens.

import { ADDRESSES } from './directory.ts'
import { hiddenNames } from './requested-models/model-names.ts'
import { defineProvider } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiImages } from './shapes/openai/openai-images.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'
import { openaiSpeech } from './shapes/openai/openai-speech.ts'
import { openaiTranscription } from './shapes/openai/openai-transcription.ts'
import { unmeteredOperation, tokenOperation } from './shapes/unmetered-operation.ts'
import { xaiChat } from './shapes/xai/xai-chat.ts'
import { xaiCost } from './shapes/xai/xai-cost.ts'
import { xaiVideos } from './shapes/xai/xai-videos.ts'
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
    ...xaiVideos(),
    openaiTranscription('/v1/stt', { addition: xaiCost }),
    openaiSpeech('/v1/tts', { addition: xaiCost, text: 'text' }),
    unmeteredOperation({ name: 'xai-tokenize', path: '/v1/tokenize-text' }),
    unmeteredOperation({
      name: 'xai-files',
      path: '/v1/files',
      createNamesReader: hiddenNames('an uploaded file can name models out of sight'),
    }),
    // What they use is reported with their results, which are not read.
    unmeteredOperation({
      name: 'xai-batches',
      path: /^\/v1\/batches(?:\/[^/]+\/requests)?$/,
      isCharged: true,
      createNamesReader: hiddenNames('the models of a batch stand in its requests'),
    }),
    unmeteredOperation({ name: 'xai-batch-cancel', path: /^\/v1\/batches\/[^/]+:cancel$/ }),
  ],
})
