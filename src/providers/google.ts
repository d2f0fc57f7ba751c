// Google's Gemini API, and its OpenAI-shaped calls. Queries are never kept: they may contain a key.

import { ADDRESSES } from './directory.ts'
import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { geminiBatchResults } from './shapes/gemini/gemini-batch-results.ts'
import { geminiCompatible } from './shapes/gemini/gemini-compatible.ts'
import { geminiEmbeddings } from './shapes/gemini/gemini-embeddings.ts'
import { geminiGenerate } from './shapes/gemini/gemini-generate.ts'
import { geminiInteractions } from './shapes/gemini/gemini-interactions.ts'
import { geminiLive } from './shapes/gemini/gemini-live.ts'
import {
  createModelRoute,
  methodsOf,
  oneOfRoutes,
  toModelName,
} from './shapes/gemini/gemini-path.ts'
import type { ModelRoute } from './shapes/gemini/gemini-path.ts'
import { geminiPredict } from './shapes/gemini/gemini-predict.ts'
import { geminiCachedContents } from './shapes/gemini/gemini-unseen.ts'
import { geminiVideos } from './shapes/gemini/gemini-videos.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { openaiImages } from './shapes/openai/openai-images.ts'
import { unmeteredOperation, tokenOperation } from './shapes/unmetered-operation.ts'
import { renamedModels } from './shapes/renamed-models.ts'

/** Tokens made for one session open it under another name. */
const LIVE =
  /^\/ws\/google\.ai\.generativelanguage\.v1(?:beta|alpha)?\.GenerativeService\.BidiGenerateContent(?:Constrained)?$/

/** Members that name the file with a batch's requests. */
const FILES = ['fileName', 'file_name']

export const google = defineProvider({
  id: 'google',
  upstream: ADDRESSES.google,
  sample: {
    path: '/v1beta/models/gemini-2.5-flash:generateContent',
    model: 'gemini-2.5-flash',
    body: { contents: [{ parts: [{ text: 'Hello' }] }] },
    credential: { header: 'x-goog-api-key: ', variable: 'GEMINI_API_KEY' },
    client: {
      urlVariable: 'GOOGLE_GEMINI_BASE_URL',
      keyVariable: 'GEMINI_API_KEY',
      basePath: '',
    },
  },
  errorShape: 'google',
  // As a bearer token it takes OAuth's alone, but for OpenAI's clients.
  credentialPlaces: [{ place: 'bearer', paths: /\/openai\// }, 'x-goog-api-key', '?key'],
  operations: geminiOperations('/v1'),
})

/** `/v1` also has the preview versions; an empty base means that the address has the version. */
export function geminiOperations(base: string): readonly Operation[] {
  const version = base === '' ? '' : `${base}(?:beta|alpha)?`
  const compatible = base === '' ? '/openai' : `${base}beta/openai`
  const route = oneOfRoutes([
    createModelRoute({ pattern: new RegExp(`^${version}/models/([^/]+)$`) }),
    createModelRoute({
      pattern: new RegExp(`^${version}/tunedModels/([^/]+)$`),
      prefix: 'tunedModels/',
    }),
  ])
  return [
    geminiGenerate(route),
    geminiEmbeddings(route),
    ...compatibleOperations(compatible),
    ...geminiInteractions({ base: version }),
    // Its version stands elsewhere in the path, so it cannot work below an address that has one.
    ...(base === '' ? [] : [geminiLive(LIVE)]),
    geminiPredict(route),
    geminiVideos(route, { defaultSamples: 1 }),
    geminiCachedContents(new RegExp(`^${version}/cachedContents$`)),
    ...geminiBatchResults(version),
    ...quietOperations(version, route),
  ]
}

/** OpenAI's shapes, with the names that other paths use. */
function compatibleOperations(base: string): readonly Operation[] {
  const calls = [
    openaiChat(`${base}/chat/completions`, { addition: geminiCompatible }),
    openaiEmbeddings(`${base}/embeddings`),
    openaiImages(`${base}/images/generations`),
  ]
  return calls.map((call) => renamedModels(call, toModelName))
}

function quietOperations(version: string, route: ModelRoute): readonly Operation[] {
  const at = (path: string): RegExp => new RegExp(`^${path}$`)
  return [
    {
      ...unmeteredOperation({ name: 'gemini-count-tokens', path: '' }),
      ...methodsOf(route, ['countTokens'], { content: ['generateContentRequest'] }),
    },
    {
      ...unmeteredOperation({ name: 'gemini-batch', path: '' }),
      // Requests inside name their models, if at all, beside the path; those of a file are unseen.
      ...methodsOf(route, ['batchGenerateContent', 'asyncBatchEmbedContent'], { hiding: FILES }),
    },
    // A file can be a batch's input, but such batches are refused for keys with allowed models.
    unmeteredOperation({
      name: 'gemini-files',
      path: at(`(?:/upload)?${version}/files(?::register)?`),
    }),
    unmeteredOperation({
      name: 'gemini-batch-cancel',
      path: at(`${version}/batches/[^/]+:cancel`),
    }),
    unmeteredOperation({
      name: 'gemini-interaction-cancel',
      path: at(`${version}/interactions/[^/]+/cancel`),
    }),
    unmeteredOperation({
      name: 'gemini-cached-content-update',
      path: at(`${version}/cachedContents/[^/]+`),
      method: 'PATCH',
    }),
    tokenOperation('gemini-auth-tokens', at(`${version}/auth_tokens`)),
  ]
}
