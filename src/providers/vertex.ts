// Google Cloud's Vertex AI: Gemini and other makers' models. An endpoint's id hides its model.

import { ADDRESSES } from './directory.ts'
import { hiddenNames, namesIn } from './requested-models/model-names.ts'
import { defineProvider } from './provider.ts'
import type { Operation } from './provider.ts'
import { ANTHROPIC_MESSAGES } from './shapes/anthropic/anthropic-messages.ts'
import { createBodyModelReader } from './shapes/body-model.ts'
import { readDocuments } from './shapes/document-reader.ts'
import { geminiCompatible } from './shapes/gemini/gemini-compatible.ts'
import { geminiEmbeddings } from './shapes/gemini/gemini-embeddings.ts'
import { geminiGenerate } from './shapes/gemini/gemini-generate.ts'
import { geminiInteractions } from './shapes/gemini/gemini-interactions.ts'
import { geminiLive } from './shapes/gemini/gemini-live.ts'
import {
  createModelRoute,
  matchMethods,
  methodsOf,
  oneOfRoutes,
} from './shapes/gemini/gemini-path.ts'
import { geminiPredict } from './shapes/gemini/gemini-predict.ts'
import { geminiCachedContents } from './shapes/gemini/gemini-unseen.ts'
import { geminiVideos } from './shapes/gemini/gemini-videos.ts'
import { findVertexRegion } from './shapes/gemini/vertex-region.ts'
import { CHAT, openaiChat } from './shapes/openai/openai-chat.ts'
import { unmeteredOperation } from './shapes/unmetered-operation.ts'
import { renamedModels } from './shapes/renamed-models.ts'

const VERSION = '/v1(?:beta1)?'
const PROJECT = `${VERSION}/projects/[^/]+/locations/[^/]+`
/** Express mode leaves the project out. */
const PLACE = `(?:${PROJECT}|${VERSION})`
const PUBLISHERS = `${PLACE}/publishers`

const published = createModelRoute({
  pattern: new RegExp(`^${PUBLISHERS}/google/models/([^/]+)$`),
})
const endpoints = createModelRoute({
  pattern: new RegExp(`^${PROJECT}/endpoints/([^/]+)$`),
  isHidden: true,
})
const claude = createModelRoute({
  pattern: new RegExp(`^${PUBLISHERS}/anthropic/models/([^/]+)$`),
})
const others = createModelRoute({
  pattern: new RegExp(`^${PUBLISHERS}/(?!google/|anthropic/)[^/]+/models/([^/]+)$`),
})
const gemini = oneOfRoutes([published, endpoints])
const LIVE = /^\/ws\/google\.cloud\.aiplatform\.v1(?:beta1)?\.LlmBidiService\/BidiGenerateContent$/
const RAW_METHODS = ['rawPredict', 'streamRawPredict']

/** Stands in place of a model in the one call that runs none. */
const COUNTING = 'count-tokens'

export const vertex = defineProvider({
  id: 'vertex',
  upstream: ADDRESSES.vertex,
  errorShape: 'google',
  credentialPlaces: ['bearer', 'x-goog-api-key', '?key'],
  regionOf: findVertexRegion,
  operations: inCertainPlaces([
    geminiGenerate(gemini),
    geminiLive(LIVE),
    {
      name: 'anthropic-messages',
      ...methodsOf(claude, RAW_METHODS),
      matches: (request) =>
        matchMethods(claude, RAW_METHODS)(request) && claude(request.path)?.model !== COUNTING,
      createUsageReader: readDocuments(ANTHROPIC_MESSAGES),
    },
    compatibleChat(),
    geminiEmbeddings(published),
    geminiPredict(gemini),
    {
      name: 'vertex-raw-chat',
      ...methodsOf(others, RAW_METHODS),
      createUsageReader: readDocuments(CHAT),
    },
    ...geminiInteractions({ base: PLACE }),
    geminiVideos(published),
    geminiCachedContents(new RegExp(`^${PROJECT}/cachedContents$`)),
    ...quietOperations(),
  ]),
})

/** Project, location and publisher are plain; with a domain, a project has a colon. */
const UNCERTAIN_PLACE = /(?:%(?!3a)|;)[^]*\//i

/** A slash or the path's end in an escape would make the place name another model. */
function inCertainPlaces(operations: readonly Operation[]): readonly Operation[] {
  const createUncertainReader = hiddenNames(
    'its project, location or publisher has an escape in it, so write it in plain letters',
  )
  return operations.map((operation) => ({
    ...operation,
    createNamesReader: (request) =>
      UNCERTAIN_PLACE.test(request.path)
        ? createUncertainReader(request)
        : operation.createNamesReader(request),
  }))
}

/** `openapi` means all published models; any other endpoint is a customer's own. */
function compatibleChat(): Operation {
  const path = new RegExp(`^${PROJECT}/endpoints/([^/]+)/chat/completions$`)
  const chat = renamedModels(openaiChat('', { addition: geminiCompatible }), withoutMaker)
  const createHiddenReader = hiddenNames('an endpoint keeps its model out of sight')
  return {
    ...chat,
    matches: (request) => request.method === 'POST' && path.test(request.path),
    createNamesReader: (request) =>
      path.exec(request.path)?.[1] === 'openapi'
        ? chat.createNamesReader(request)
        : createHiddenReader(request),
  }
}

/** `google/gemini-x` is the `gemini-x` of other paths: ids are unique among all makers. */
function withoutMaker(name: string): string {
  return name.replace(/^[\w-]+\/(?=[^/]+$)/, '')
}

function quietOperations(): readonly Operation[] {
  return [
    {
      ...unmeteredOperation({ name: 'gemini-count-tokens', path: '' }),
      ...methodsOf(gemini, ['countTokens', 'computeTokens'], { content: ['instances'] }),
    },
    {
      ...unmeteredOperation({ name: 'anthropic-count-tokens', path: '' }),
      matches: (request) =>
        matchMethods(claude, RAW_METHODS)(request) && claude(request.path)?.model === COUNTING,
      createModelReader: createBodyModelReader,
      createNamesReader: namesIn(),
    },
    unmeteredOperation({
      name: 'gemini-interaction-cancel',
      path: new RegExp(`^${PLACE}/interactions/[^/]+/cancel$`),
    }),
    {
      ...unmeteredOperation({ name: 'gemini-job-read', path: '' }),
      matches: matchMethods(gemini, ['fetchPredictOperation']),
    },
  ]
}
