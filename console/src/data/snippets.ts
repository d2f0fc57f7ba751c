// How a client calls through Weir: for every client a piece of code that runs as pasted. Two things
// differ from calling the provider itself: the base URL and one header. The provider's own key
// comes from the environment, under the name its client looks for. The addresses are those of
// docs/providers.md.

export interface SnippetSubject {
  /** Without a slash at the end. */
  readonly proxyUrl: string
  /** An API key of Weir, or a placeholder. */
  readonly key: string
  /** An id. Clients that can call it are shown with it, the others with their own vendor's. */
  readonly provider?: string | undefined
  /** As that provider calls it. */
  readonly model?: string | undefined
}

export type SnippetLanguage = 'shell' | 'js' | 'python'

export interface Snippet {
  readonly id: SnippetId
  readonly title: string
  readonly language: SnippetLanguage
  readonly text: string
}

export type SnippetId =
  | 'curl'
  | 'openai-js'
  | 'openai-python'
  | 'anthropic'
  | 'google'
  | 'ai-sdk'
  | 'claude-code'

export function createSnippets(subject: SnippetSubject): readonly Snippet[] {
  const chat = toChatTarget(subject)
  const messages = toMessagesTarget(subject)
  return [
    { id: 'curl', title: 'curl', language: 'shell', text: toCurl(chat) },
    { id: 'openai-js', title: 'OpenAI SDK', language: 'js', text: toOpenaiJs(chat) },
    { id: 'openai-python', title: 'OpenAI, Python', language: 'python', text: toPython(chat) },
    { id: 'anthropic', title: 'Anthropic SDK', language: 'js', text: toAnthropic(messages) },
    { id: 'google', title: 'Google GenAI', language: 'js', text: toGoogle(subject) },
    { id: 'ai-sdk', title: 'AI SDK', language: 'js', text: toAiSdk(subject) },
    { id: 'claude-code', title: 'Claude Code', language: 'shell', text: toClaudeCode(messages) },
  ]
}

/** The settings of one client. */
interface Target {
  readonly key: string
  readonly baseUrl: string
  readonly model: string
  /** The variable with the provider's own key. */
  readonly variable: string
}

/** Where a provider takes calls in OpenAI's format, behind its id. Not listed: `/v1`. */
const CHAT_PATHS: Readonly<Record<string, string>> = {
  google: '/v1beta/openai',
  openrouter: '/api/v1',
  groq: '/openai/v1',
  deepseek: '',
  fireworks: '/inference/v1',
  perplexity: '',
  cohere: '/compatibility/v1',
}
/** Those that take no such calls, or only below a name that the customer chose. */
const NO_CHAT = new Set(['azure', 'vertex', 'bedrock'])

const VARIABLES: Readonly<Record<string, string>> = {
  gateway: 'AI_GATEWAY_API_KEY',
  google: 'GEMINI_API_KEY',
}

const CHAT_MODELS: Readonly<Record<string, string>> = {
  openai: 'gpt-4o-mini',
  gateway: 'openai/gpt-4o-mini',
  anthropic: 'claude-sonnet-4-5',
  google: 'gemini-2.5-flash',
}

function toChatTarget({ proxyUrl, key, provider, model }: SnippetSubject): Target {
  const isGiven = provider !== undefined && !NO_CHAT.has(provider)
  const id = isGiven ? provider : 'openai'
  return {
    key,
    baseUrl: `${proxyUrl}/v1/${id}${CHAT_PATHS[id] ?? '/v1'}`,
    model: (isGiven ? model : undefined) ?? CHAT_MODELS[id] ?? 'a-model-it-offers',
    variable: VARIABLES[id] ?? `${id.toUpperCase().replaceAll('-', '_')}_API_KEY`,
  }
}

function toMessagesTarget({ proxyUrl, key, provider, model }: SnippetSubject): Target {
  if (provider === 'gateway') {
    const name = model ?? 'anthropic/claude-sonnet-4.5'
    const baseUrl = `${proxyUrl}/v1/gateway`
    return { key, baseUrl, model: name, variable: 'AI_GATEWAY_API_KEY' }
  }
  const name = (provider === 'anthropic' ? model : undefined) ?? 'claude-sonnet-4-5'
  const baseUrl = `${proxyUrl}/v1/anthropic`
  return { key, baseUrl, model: name, variable: 'ANTHROPIC_API_KEY' }
}

function toCurl({ key, baseUrl, model, variable }: Target): string {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
  return `# ${variable} is your own key at the provider. It is passed on unchanged.
curl ${toShell(`${baseUrl}/chat/completions`)} \\
  -H ${toShell(`X-SVC-API-Key: ${key}`)} \\
  -H "Authorization: Bearer $${variable}" \\
  -H 'Content-Type: application/json' \\
  -d ${toShell(JSON.stringify(body))}`
}

function toOpenaiJs({ key, baseUrl, model, variable }: Target): string {
  const apiKey = variable === 'OPENAI_API_KEY' ? '' : `\n  apiKey: process.env.${variable},`
  return `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: ${quote(baseUrl)},${apiKey}
  defaultHeaders: { 'X-SVC-API-Key': ${quote(key)} },
})

const answer = await client.chat.completions.create({
  model: ${quote(model)},
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(answer.choices[0].message.content)`
}

function toPython({ key, baseUrl, model, variable }: Target): string {
  const isOwn = variable === 'OPENAI_API_KEY'
  return `${isOwn ? '' : 'import os\n'}from openai import OpenAI

client = OpenAI(
    base_url=${quote(baseUrl)},${isOwn ? '' : `\n    api_key=os.environ[${quote(variable)}],`}
    default_headers={'X-SVC-API-Key': ${quote(key)}},
)

answer = client.chat.completions.create(
    model=${quote(model)},
    messages=[{'role': 'user', 'content': 'Hello'}],
)
print(answer.choices[0].message.content)`
}

function toAnthropic({ key, baseUrl, model, variable }: Target): string {
  const apiKey = variable === 'ANTHROPIC_API_KEY' ? '' : `\n  apiKey: process.env.${variable},`
  return `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({
  baseURL: ${quote(baseUrl)},${apiKey}
  defaultHeaders: { 'X-SVC-API-Key': ${quote(key)} },
})

const message = await client.messages.create({
  model: ${quote(model)},
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(message.content[0].text)`
}

function toGoogle({ proxyUrl, key, provider, model }: SnippetSubject): string {
  const name = (provider === 'google' ? model : undefined) ?? 'gemini-2.5-flash'
  return `import { GoogleGenAI } from '@google/genai'

const client = new GoogleGenAI({
  apiKey: process.env.GEMINI_API_KEY,
  httpOptions: {
    baseUrl: ${quote(`${proxyUrl}/v1/google`)},
    headers: { 'X-SVC-API-Key': ${quote(key)} },
  },
})

const answer = await client.models.generateContent({
  model: ${quote(name)},
  contents: 'Hello',
})
console.log(answer.text)`
}

function toAiSdk({ proxyUrl, key, provider, model }: SnippetSubject): string {
  const name = (provider === 'gateway' ? model : undefined) ?? 'openai/gpt-4o-mini'
  return `import { createGateway, generateText } from 'ai'

const gateway = createGateway({
  baseURL: ${quote(`${proxyUrl}/v1/gateway/v4/ai`)},
  headers: { 'X-SVC-API-Key': ${quote(key)} },
})

const { text } = await generateText({
  model: gateway(${quote(name)}),
  prompt: 'Hello',
})
console.log(text)`
}

function toClaudeCode({ key, baseUrl, variable }: Target): string {
  // With the gateway's key in its place Claude Code must not ask for an account of its own.
  const own = variable === 'ANTHROPIC_API_KEY' ? '' : `\nexport ANTHROPIC_AUTH_TOKEN="$${variable}"`
  return `export ANTHROPIC_BASE_URL=${toShell(baseUrl)}
export ANTHROPIC_CUSTOM_HEADERS=${toShell(`X-SVC-API-Key: ${key}`)}${own}
claude`
}

/** A string as JavaScript and Python both read it. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, String.raw`\$&`)}'`
}

/** One word of a shell. */
function toShell(text: string): string {
  return /^[\w:/.@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
