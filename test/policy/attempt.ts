// One request of a restricted key, as raw bytes in Latin-1, and how to write one. `{key}` stands
// for the credential.

export interface Attempt {
  readonly name: string
  readonly request: string
}

export interface Evasion extends Attempt {
  /** How it is refused, where not with 403 `model_not_allowed`. */
  readonly status?: number
  readonly code?: string
}

const OWN_ROUTES = [
  'anthropic',
  'google',
  'vertex',
  'azure',
  'mistral',
  'cohere',
  'groq',
  'xai',
  'own',
]

/** What the key may use: little of each provider. */
export const ALLOWED_MODELS: readonly string[] = [
  'openai/good',
  'openai/cheap-*',
  'gateway:acme/good',
  'gateway:acme/cheap-*',
  ...OWN_ROUTES.map((id) => `${id}/good`),
  'azure/cheap-*',
  // In any region.
  'bedrock/*acme.good-v1:0',
  'openrouter/acme/good',
  'ollama/good:8b',
  'own/good',
  'own/cheap-*',
  'fireworks/accounts/fireworks/models/good',
]

export const JSON_TYPE = 'Content-Type: application/json'

export interface RequestParts {
  readonly method?: string
  /** Behind `/v1`. */
  readonly path: string
  readonly headers?: readonly string[]
  readonly body?: string
}

/** A request with a sized body, and no content type of its own. */
export function toRequest({ method = 'POST', path, headers = [], body }: RequestParts): string {
  const lines = [`${method} /v1${path} HTTP/1.1`, 'Host: proxy', 'X-SVC-API-Key: {key}', ...headers]
  if (body !== undefined) lines.push(`Content-Length: ${body.length}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** JSON as it stands in UTF-8. */
export function toJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('latin1')
}

export function postText(path: string, body: string, ...headers: readonly string[]): string {
  return toRequest({ path, headers: [JSON_TYPE, ...headers], body })
}

export function post(path: string, value: unknown, ...headers: readonly string[]): string {
  return postText(path, toJson(value), ...headers)
}

export const CHAT = '/openai/v1/chat/completions'
export const GATEWAY_CHAT = '/gateway/v1/chat/completions'
export const MESSAGES = [{ role: 'user', content: 'Hello' }]

/** A chat request to OpenAI, with what is added to it. */
export function chat(added: object, ...headers: readonly string[]): string {
  return post(CHAT, { messages: MESSAGES, ...added }, ...headers)
}

export function gatewayChat(added: object): string {
  return post(GATEWAY_CHAT, { model: 'acme/good', messages: MESSAGES, ...added })
}

/** The body of a form: each part as its headers' text and its content. */
export function toForm(
  parts: readonly (readonly [disposition: string, content: string])[],
): string {
  const texts = parts.map(
    ([disposition, content]) =>
      `--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`,
  )
  return `${texts.join('')}--edge--\r\n`
}

export const FORM_TYPE = 'Content-Type: multipart/form-data; boundary=edge'

export function postForm(path: string, parts: Parameters<typeof toForm>[0]): string {
  return toRequest({ path, headers: [FORM_TYPE], body: toForm(parts) })
}

/** A request to open a WebSocket. */
export function upgrade(path: string, ...headers: readonly string[]): string {
  const asked = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
  return toRequest({ method: 'GET', path, headers: [...asked, key, ...headers] })
}
