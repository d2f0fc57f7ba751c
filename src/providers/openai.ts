// OpenAI's API, and the list of its calls, which other providers offer below their own base path.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { chatSample } from './shapes/openai/chat-sample.ts'
import { openaiBatchResults } from './shapes/openai/openai-batch-results.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiImages } from './shapes/openai/openai-images.ts'
import { openaiObjects } from './shapes/openai/openai-objects.ts'
import { pathUnder, patternUnder } from './shapes/model-operation.ts'
import type { ModelOptions, PathPattern } from './shapes/model-operation.ts'
import {
  openaiCompaction,
  openaiResponses,
  openaiStoredResponse,
} from './shapes/openai/openai-responses.ts'
import { openaiResponsesSocket } from './shapes/openai/openai-responses-socket.ts'
import { openaiRealtime } from './shapes/openai/openai-realtime.ts'
import { openaiRun } from './shapes/openai/openai-run.ts'
import { openaiSpeech } from './shapes/openai/openai-speech.ts'
import { openaiTranscription, openaiTranslation } from './shapes/openai/openai-transcription.ts'
import { openaiStoredVideo, openaiVideos } from './shapes/openai/openai-videos.ts'

/** Data residency has hosts of its own: `eu.api.openai.com`. */
const REGIONAL_HOST = /^([a-z0-9-]+)\.api\.openai\.com$/

export const openai = defineProvider({
  id: 'openai',
  upstream: ADDRESSES.openai,
  sample: chatSample({
    path: '/v1/chat/completions',
    model: 'gpt-4o-mini',
    variable: 'OPENAI_API_KEY',
  }),
  // Its keys begin with sk-; who signed in with ChatGPT has another token.
  plan: { authorization: /^Bearer +(?!sk-)/i, header: 'chatgpt-account-id' },
  operations: openaiOperations('/v1'),
  regionOf: ({ host }) => REGIONAL_HOST.exec(host)?.[1] ?? null,
})

/** A base that is a pattern is not anchored. */
export function openaiOperations(
  base: PathPattern,
  options: ModelOptions = {},
): readonly Operation[] {
  const at = (rest: string): PathPattern => pathUnder(base, rest)
  const images = patternUnder(base, '/images/(?:generations|edits|variations)')
  const sessions = patternUnder(base, '/(?:realtime|live/sessions)')
  return [
    openaiChat(at('/chat/completions'), options),
    openaiResponses(at('/responses'), options),
    openaiEmbeddings(at('/embeddings'), options),
    openaiStoredResponse(base),
    openaiCompletions(at('/completions'), options),
    openaiCompaction(at('/responses/compact'), options),
    openaiImages(images, { ...options, body: 'json-or-form' }),
    openaiTranscription(at('/audio/transcriptions'), options),
    openaiTranslation(at('/audio/translations'), options),
    openaiSpeech(at('/audio/speech'), options),
    openaiRealtime(sessions, options),
    openaiResponsesSocket(at('/responses'), options),
    openaiVideos(base, options),
    openaiStoredVideo(base),
    openaiRun(base),
    openaiBatchResults(base),
    ...openaiObjects(base),
  ]
}
