// Where each provider takes calls of which format, behind `/v1/{provider}`. The addresses are those
// of docs/providers.md.

export type Format =
  | 'openai'
  | 'responses'
  | 'anthropic'
  | 'gemini'
  | 'mistral'
  | 'cohere'
  | 'bedrock'
  | 'gateway'

export interface Target {
  /** Behind the provider's id. */
  readonly path: string
  readonly model: string
  /** The variable in which people keep their key at the provider. */
  readonly keyVariable: string
}

/** Where a provider takes chat in OpenAI's format. Not listed: `/v1`. */
const CHAT_PATHS: Readonly<Record<string, string>> = {
  google: '/v1beta/openai',
  openrouter: '/api/v1',
  groq: '/openai/v1',
  deepseek: '',
  fireworks: '/inference/v1',
  perplexity: '',
  cohere: '/compatibility/v1',
}

/** Those that take no such chat, or only below a name that the customer chose. */
const NO_CHAT: ReadonlySet<string> = new Set(['azure', 'vertex', 'bedrock'])

const PATHS: Readonly<Record<Exclude<Format, 'openai'>, Readonly<Record<string, string>>>> = {
  responses: {
    openai: '/v1',
    gateway: '/v1',
    openrouter: '/api/v1',
    groq: '/openai/v1',
    xai: '/v1',
    fireworks: '/inference/v1',
    ollama: '/v1',
  },
  anthropic: { anthropic: '', gateway: '', deepseek: '/anthropic' },
  gemini: { google: '' },
  mistral: { mistral: '' },
  cohere: { cohere: '' },
  bedrock: { bedrock: '' },
  gateway: { gateway: '/v4/ai' },
}

const MODELS: Readonly<Record<string, string>> = {
  openai: 'gpt-4o-mini',
  gateway: 'openai/gpt-4o-mini',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
  mistral: 'mistral-small-latest',
  cohere: 'command-r7b-12-2024',
  bedrock: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  groq: 'llama-3.1-8b-instant',
  deepseek: 'deepseek-chat',
  xai: 'grok-4-fast',
  together: 'openai/gpt-oss-20b',
  fireworks: 'accounts/fireworks/models/gpt-oss-20b',
  perplexity: 'sonar',
  cerebras: 'llama3.1-8b',
  openrouter: 'openai/gpt-4o-mini',
  ollama: 'llama3.2',
}

const KEY_VARIABLES: Readonly<Record<string, string>> = {
  gateway: 'AI_GATEWAY_API_KEY',
  google: 'GEMINI_API_KEY',
  cohere: 'CO_API_KEY',
  bedrock: 'AWS_BEARER_TOKEN_BEDROCK',
}

/** Stands for one that is to be put in. */
export const ANY_MODEL = 'a-model-it-offers'

/** Null where the provider takes no calls of this format. */
export function findTarget(format: Format, provider: string): Target | null {
  const path = findPath(format, provider)
  if (path === null) return null
  return {
    path,
    model: toModel(format, provider),
    keyVariable:
      KEY_VARIABLES[provider] ?? `${provider.toUpperCase().replaceAll('-', '_')}_API_KEY`,
  }
}

function findPath(format: Format, provider: string): string | null {
  if (format !== 'openai') return PATHS[format][provider] ?? null
  return NO_CHAT.has(provider) ? null : (CHAT_PATHS[provider] ?? '/v1')
}

function toModel(format: Format, provider: string): string {
  if (format === 'anthropic' && provider === 'gateway') return 'anthropic/claude-sonnet-4.5'
  return MODELS[provider] ?? ANY_MODEL
}
