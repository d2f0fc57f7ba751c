// All providers that the recipes call, on one loopback port, each below its id. Every question has
// the same answer and the same usage, whole or streamed as it was asked for, and what was asked is
// kept to be looked at.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  anthropicDialect,
  gatewayDialect,
  googleDialect,
  openaiDialect,
} from '../../../demo/simulated-answer.ts'
import type { Dialect, Use } from '../../../demo/simulated-answer.ts'
import { cohereDialect, converseDialect, responsesDialect } from './recipe-answers.ts'

export const RECIPE_ANSWER = 'The Ister.'
export const RECIPE_TOKENS = { input: 21, output: 7 } as const

const PIECES = ['The ', 'Ister.']
const BODY_BYTES_MAX = 8_388_608
const CREATED_AT = Date.UTC(2026, 0, 31)
/** One USD in a Money is 10^12. */
const LIST_COST = 250_000_000n

export interface RecipeCall {
  readonly method: string
  /** With the provider in front, without the query. */
  readonly path: string
  /** Names and values by turns. */
  readonly rawHeaders: readonly string[]
  readonly isKnown: boolean
}

export interface RecipeProvider {
  /** `http://127.0.0.1:port`; a provider is below its id. */
  readonly url: string
  /** Since they were taken last. */
  takeCalls(): readonly RecipeCall[]
  close(): Promise<void>
}

export async function openRecipeProvider(): Promise<RecipeProvider> {
  let calls: RecipeCall[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer(request, response)
      .then((call) => calls.push(call))
      .catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeCalls() {
      const taken = calls
      calls = []
      return taken
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<RecipeCall> {
  const { method = '', url = '', rawHeaders } = request
  const [path = ''] = url.split('?')
  const body = parseObject(await readBody(request))
  const isKnown = method === 'GET' ? sendList(path, response) : send(request, body, response)
  if (!isKnown) sendJson(response, { error: { message: `Nothing at ${method} ${path}` } }, 404)
  return { method, path, rawHeaders, isKnown }
}

function sendList(path: string, response: ServerResponse): boolean {
  if (!path.endsWith('/models')) return false
  sendJson(response, { object: 'list', data: [], models: [], has_more: false })
  return true
}

type Body = Readonly<Record<string, unknown>>
type Answers = Pick<Dialect, 'whole'> & Partial<Pick<Dialect, 'events'>>

const BY_ENDING: readonly (readonly [ending: string, answers: Answers])[] = [
  ['/chat/completions', openaiDialect],
  ['/responses', responsesDialect],
  ['/v1/messages', anthropicDialect],
  [':generateContent', googleDialect],
  [':streamGenerateContent', googleDialect],
  ['/v2/chat', cohereDialect],
  ['/converse', converseDialect],
  ['/language-model', gatewayDialect],
  ['/count_tokens', { whole: ({ input }) => ({ input_tokens: input }) }],
  [':countTokens', { whole: ({ input }) => ({ totalTokens: input }) }],
]

/** False for what it does not know. */
function send(request: IncomingMessage, body: Body, response: ServerResponse): boolean {
  const [path = ''] = (request.url ?? '').split('?')
  const answers = BY_ENDING.find(([ending]) => path.endsWith(ending))?.[1]
  if (answers === undefined) return false
  const use = toUse(request, body)
  const isStream =
    body['stream'] === true ||
    path.endsWith(':streamGenerateContent') ||
    request.headers['ai-language-model-streaming'] === 'true'
  if (!isStream || answers.events === undefined) {
    sendJson(response, answers.whole(use))
    return true
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const event of answers.events(use)) response.write(event)
  response.end()
  return true
}

const MODEL_IN_PATH = /\/models?\/([^/:]+(?::\d+)?)(?=[/:])/

function toUse(request: IncomingMessage, body: Body): Use {
  const inHeader = request.headers['ai-language-model-id']
  const inPath = MODEL_IN_PATH.exec(decodeURIComponent(request.url ?? ''))?.[1]
  const options = body['stream_options'] as { include_usage?: unknown } | undefined
  return {
    ...RECIPE_TOKENS,
    id: '01RECIPE',
    model: [body['model'], inHeader, inPath].find((name) => typeof name === 'string') ?? '',
    pieces: PIECES,
    cached: 0,
    createdAt: CREATED_AT,
    listCost: LIST_COST,
    isByok: false,
    wantsUsage: options?.include_usage === true,
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > BODY_BYTES_MAX) throw new Error('the body is too large for the simulation')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

function parseObject(text: string): Body {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Body) : {}
  } catch {
    return {}
  }
}

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, headers).end(text)
}
