// Vercel AI Gateway: one provider for all models behind it, which reports its price in the answer.
// It speaks OpenAI's chat and Responses, Anthropic's Messages, and the AI SDK's own protocol.

import { ADDRESSES } from './directory.ts'
import { namesIn } from './requested-models/model-names.ts'
import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { aiSdkNative } from './shapes/gateway/ai-sdk-native.ts'
import { anthropicMessages } from './shapes/anthropic/anthropic-messages.ts'
import { createBodyModelReader } from './shapes/body-model.ts'
import { gatewayMessages } from './shapes/gateway/gateway-messages.ts'
import { gatewayMetadata } from './shapes/gateway/gateway-metadata.ts'
import { gatewayNative } from './shapes/gateway/gateway-native.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiImages } from './shapes/openai/openai-images.ts'
import { patternUnder } from './shapes/model-operation.ts'
import { openaiRealtime } from './shapes/openai/openai-realtime.ts'
import { openaiCompaction, openaiResponses } from './shapes/openai/openai-responses.ts'
import { openaiResponsesSocket } from './shapes/openai/openai-responses-socket.ts'
import { openaiSpeech } from './shapes/openai/openai-speech.ts'
import { openaiTranscription } from './shapes/openai/openai-transcription.ts'
import { unmeteredOperation } from './shapes/unmetered-operation.ts'
import { unknownCalls } from './shapes/unknown-calls.ts'

const BASE = '/v1'
const addition = gatewayMetadata

export const gateway = defineProvider({
  id: 'gateway',
  upstream: ADDRESSES.gateway,
  sample: chatSample({
    path: '/v1/chat/completions',
    model: 'openai/gpt-4o-mini',
    variable: 'AI_GATEWAY_API_KEY',
  }),
  errorShape: 'gateway',
  credentialPlaces: ['bearer', 'x-api-key'],
  unknown: unknownCalls(gatewayMetadata),
  operations: gatewayOperations(BASE),
  hasMakersInNames: true,
  // The AI SDK's gateway client drops the path of its base address for these.
  rootPaths: ['/v1/generation', '/v1/credits', '/v1/report', '/v1/realtime/client-secrets'],
})

export function gatewayOperations(base: string): readonly Operation[] {
  // Where the address ends in a version, the callers' paths have none.
  const nativeBases = base === BASE ? ['/v4/ai', '/v3/ai', '/v1/ai'] : [`${base}/ai`]
  const rerankPath = base === BASE ? '/v2/rerank' : `${base}/rerank`
  return [
    openaiChat(`${base}/chat/completions`, { addition }),
    anthropicMessages(`${base}/messages`, { addition: gatewayMessages }),
    openaiResponses(`${base}/responses`, { addition }),
    ...gatewayNative(nativeBases),
    openaiEmbeddings(`${base}/embeddings`, { addition }),
    openaiImages(patternUnder(`${base}/images`, '/(?:generations|edits)'), {
      addition,
      body: 'json-or-form',
    }),
    openaiTranscription(`${base}/audio/transcriptions`, { addition }),
    openaiSpeech(`${base}/audio/speech`, { addition }),
    openaiCompaction(`${base}/responses/compact`, { addition }),
    openaiResponsesSocket(`${base}/responses`, { addition }),
    openaiRealtime(toSocketPaths(base, nativeBases), { addition }),
    aiSdkNative({ name: 'gateway-rerank', paths: [rerankPath], isWithoutTokens: true, addition }),
    aiSdkNative({
      name: 'gateway-evaluate',
      paths: base === BASE ? ['/v1/evaluate', '/typesafe/v1/systemone'] : [`${base}/evaluate`],
      addition,
    }),
    unmeteredOperation({
      name: 'gateway-count-tokens',
      path: `${base}/messages/count_tokens`,
      createModelReader: createBodyModelReader,
      createNamesReader: namesIn(),
    }),
    unmeteredOperation({
      name: 'gateway-client-secret',
      path: `${base}/realtime/client-secrets`,
      derivesToken: true,
      createModelReader: createBodyModelReader,
      createNamesReader: namesIn(),
    }),
  ]
}

/** Sessions: the AI SDK's name the model in the query, live ones in their first message. */
function toSocketPaths(base: string, nativeBases: readonly string[]): RegExp {
  const bases = nativeBases.map((each) => RegExp.escape(each)).join('|')
  const native = `(?:${bases})/(?:realtime|speech|transcription|live)-model`
  return new RegExp(`^(?:${native}|${RegExp.escape(base)}/live/sessions)$`)
}
