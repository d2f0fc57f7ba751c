// The built-in providers, their addresses, and the shapes an operator can add. Must stay true: it
// imports nothing. The registry loads a hundred files, which only a proxy needs.

/** The public addresses; null where every installation has its own. */
export const ADDRESSES = {
  gateway: 'https://ai-gateway.vercel.sh',
  openai: 'https://api.openai.com',
  anthropic: 'https://api.anthropic.com',
  bedrock: null,
  azure: null,
  mistral: 'https://api.mistral.ai',
  groq: 'https://api.groq.com',
  deepseek: 'https://api.deepseek.com',
  xai: 'https://api.x.ai',
  together: 'https://api.together.xyz',
  fireworks: 'https://api.fireworks.ai',
  perplexity: 'https://api.perplexity.ai',
  cerebras: 'https://api.cerebras.ai',
  openrouter: 'https://openrouter.ai',
  google: 'https://generativelanguage.googleapis.com',
  vertex: 'https://aiplatform.googleapis.com',
  cohere: 'https://api.cohere.com',
  ollama: null,
} as const satisfies Readonly<Record<string, string | null>>

/** Whose API Claude Code speaks. */
export const CLAUDE_PROVIDER = 'anthropic'

export const SHAPES = ['gateway', 'openai', 'anthropic', 'bedrock', 'gemini', 'ollama'] as const

export type Shape = (typeof SHAPES)[number]

/** Built-in providers whose models' names are `maker/model`, as their own files declare. */
const MAKERS_IN_NAMES: ReadonlySet<string> = new Set(['gateway'])

/** An operator's provider is like the built-in one that its shape names. */
export function hasMakersInNames({
  id,
  shape,
}: {
  id: string
  shape?: Shape | undefined
}): boolean {
  return MAKERS_IN_NAMES.has(shape ?? id)
}

/** Run on the operator's own machines: nobody charges for a call. */
const LOCAL: ReadonlySet<string> = new Set(['ollama'])

/** Responses state what was charged: a price list says nothing about it. */
const COST_STATED: ReadonlySet<string> = new Set(['gateway'])

/** How a provider charges where no list has its prices; null where nothing is known. */
export function chargingOf({
  id,
  shape,
}: {
  id: string
  shape?: Shape | undefined
}): 'nothing' | 'stated' | null {
  if (LOCAL.has(shape ?? id)) return 'nothing'
  return COST_STATED.has(shape ?? id) ? 'stated' : null
}

export function isBuiltIn(id: string): id is keyof typeof ADDRESSES {
  return Object.hasOwn(ADDRESSES, id)
}

/** Null also for a provider that is not built in. */
export function addressOf(id: string): string | null {
  return isBuiltIn(id) ? ADDRESSES[id] : null
}
