// Every provider that Weir knows, with the code that reads its bytes.

import { azure } from './azure.ts'
import { anthropic, anthropicOperations } from './anthropic.ts'
import { bedrock, bedrockOperations } from './bedrock.ts'
import { cerebras } from './cerebras.ts'
import { cohere } from './cohere.ts'
import { deepseek } from './deepseek.ts'
import type { Shape } from './directory.ts'
import { fireworks } from './fireworks.ts'
import { gateway, gatewayOperations } from './gateway.ts'
import { google, geminiOperations } from './google.ts'
import { groq } from './groq.ts'
import { mistral } from './mistral.ts'
import { ollama, ollamaOperations } from './ollama.ts'
import { hiddenNames } from './requested-models/model-names.ts'
import { openai, openaiOperations } from './openai.ts'
import { openrouter } from './openrouter.ts'
import { perplexity } from './perplexity.ts'
import { defineProvider } from './provider.ts'
import type { Operation, Provider } from './provider.ts'
import { openaiChat } from './shapes/openai/openai-chat.ts'
import { openaiCompletions } from './shapes/openai/openai-completions.ts'
import { openaiEmbeddings } from './shapes/openai/openai-embeddings.ts'
import { pathUnder } from './shapes/model-operation.ts'
import { openaiResponses } from './shapes/openai/openai-responses.ts'
import { together } from './together.ts'
import { vertex } from './vertex.ts'
import { xai } from './xai.ts'

export const PROVIDERS: readonly Provider[] = [
  gateway,
  openai,
  anthropic,
  bedrock,
  azure,
  mistral,
  groq,
  deepseek,
  xai,
  together,
  fireworks,
  perplexity,
  cerebras,
  openrouter,
  google,
  vertex,
  cohere,
  ollama,
]

export function findProvider(id: string): Provider | null {
  return PROVIDERS.find((provider) => provider.id === id) ?? null
}

interface ShapeDefinition {
  /** Its errors, model names and preparation are used. */
  readonly like: Provider
  operations(base: string): readonly Operation[]
}

const SHAPE_DEFINITIONS: Readonly<Record<Shape, ShapeDefinition>> = {
  gateway: { like: gateway, operations: gatewayOperations },
  openai: { like: openai, operations: (base) => [...openaiOperations(base), ...routedCalls(base)] },
  anthropic: { like: anthropic, operations: anthropicOperations },
  bedrock: { like: bedrock, operations: bedrockOperations },
  gemini: { like: google, operations: geminiOperations },
  ollama: { like: ollama, operations: ollamaOperations },
}

/** An operator may write the address with its version segment or leave that to callers. */
const BASES = ['/v1', '']

/** A router such as Hugging Face's has each service's paths below its name: `/groq/openai/v1`. */
const ROUTED =
  /\/[a-z][a-z0-9-]*(?:\/(?:inference|openai|compatibility|v3))?(?:\/v1(?:\/openai)?|\/openai)/

/** Where the address has no version: with one, it leads to a single service. */
function routedCalls(base: string): readonly Operation[] {
  if (base !== '') return []
  const createNamesReader = hiddenNames('what precedes the version in its path can be a model')
  const calls = [
    openaiChat(pathUnder(ROUTED, '/chat/completions')),
    openaiCompletions(pathUnder(ROUTED, '/completions')),
    openaiEmbeddings(pathUnder(ROUTED, '/embeddings')),
    openaiResponses(pathUnder(ROUTED, '/responses')),
  ]
  return calls.map((call) => ({ ...call, createNamesReader }))
}

export interface ConfiguredProvider {
  readonly id: string
  readonly shape: Shape
  readonly upstream: string
}

/** Of ChatGPT, where Codex calls it. */
const CODEX_BACKEND = '/backend-api/codex'

export function createProvider({ id, shape, upstream }: ConfiguredProvider): Provider {
  const definition = SHAPE_DEFINITIONS[shape]
  // Paths outside its own, and models, belong to the built-in provider alone.
  const { rootPaths: _, sample: _sample, plan, ...like } = definition.like
  // Elsewhere a key need not begin as OpenAI's do, so a header would turn its calls into a plan's.
  const hasPlan = plan?.header === undefined || upstream.endsWith(CODEX_BACKEND)
  const operations = BASES.flatMap((base) => definition.operations(base))
  return defineProvider({ ...like, ...(hasPlan && { plan }), id, upstream, operations })
}
