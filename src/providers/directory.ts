// Who is built in, where each is reached, and the shapes in which an operator can add more. Must
// stay true: it loads nothing. The registry brings a hundred files that read bytes, and only who
// takes calls needs those.

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

export const SHAPES = ['gateway', 'openai', 'anthropic', 'bedrock', 'gemini', 'ollama'] as const

export type Shape = (typeof SHAPES)[number]

/**
 * Of the built-in ones: whose models' names include the maker, `maker/model`, as its own file
 * declares.
 */
const MAKERS_IN_NAMES: ReadonlySet<string> = new Set(['gateway'])

/** By the shape where an operator gave one, which stands for the built-in one of that name. */
export function hasMakersInNames({
  id,
  shape,
}: {
  id: string
  shape?: Shape | undefined
}): boolean {
  return MAKERS_IN_NAMES.has(shape ?? id)
}

export function isBuiltIn(id: string): id is keyof typeof ADDRESSES {
  return Object.hasOwn(ADDRESSES, id)
}

/** Null for one that is not built in, too. */
export function addressOf(id: string): string | null {
  return isBuiltIn(id) ? ADDRESSES[id] : null
}
