// OpenAI, Anthropic, Google, the AI gateway and the company's own model server on one loopback
// port, each below its own path. They answer any model with words about rivers, after a moment, and
// now and then with an error.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import type { Clock } from '../src/core/clock.ts'
import { createTokenCounts } from '../src/core/token-counts.ts'
import { toInterruptedEvent } from '../src/core/usage-event.ts'
import { priceEvent } from '../src/pricing/tables/price.ts'
import { createPriceTables } from '../src/pricing/tables/price-tables.ts'
import type { PriceTables } from '../src/pricing/tables/price-tables.ts'
import { createRandom, drawSize } from './random.ts'
import type { Random } from './random.ts'
import {
  anthropicDialect,
  gatewayChatDialect,
  gatewayDialect,
  googleDialect,
  openaiDialect,
} from './simulated-answer.ts'
import type { Dialect, Use } from './simulated-answer.ts'

export interface SimulatedProviders {
  /** The address of each, by its id. */
  readonly urls: Readonly<Record<string, string>>
  /** Takes alerts and does nothing about them. */
  readonly hookUrl: string
  close(): Promise<void>
}

export interface SimulationOptions {
  readonly clock: Pick<Clock, 'now'>
  /** 0 takes any. */
  readonly port: number
  /** Loopback where it is left out. */
  readonly host?: string
  /** What others call this machine. */
  readonly name?: string
}

/** A provider key with this prefix stands for a caller's own key behind the gateway. */
export const BYOK_PREFIX = 'vck_own_'
const IDS = ['openai', 'anthropic', 'google', 'gateway', 'acme'] as const
const HOOK_PATH = '/alerts'
const SEED = 11
/** One in this many calls is answered with an error. */
const CALLS_PER_FAULT = 40
const FIRST_BYTE_MS = 250
const PIECE_MS = 25
const PIECES_MAX = 24
const BODY_BYTES_MAX = 8_388_608
const CHARS_PER_TOKEN = 4
const OUTPUT_TOKENS = 220
const WORDS = 'The river is measured where it falls over the weir and the figures are kept '.split(
  /(?<= )/,
)

export async function openSimulatedProviders(
  options: SimulationOptions,
): Promise<SimulatedProviders> {
  const simulation = { ...options, random: createRandom(SEED), priceTables: createPriceTables() }
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer(request, response, simulation).catch((error: unknown) =>
      response.destroy(error as Error),
    )
  })
  const { host = '127.0.0.1', name = '127.0.0.1' } = options
  server.listen(options.port, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const root = `http://${name}:${port}`
  return {
    urls: Object.fromEntries(IDS.map((id) => [id, `${root}/${id}`])),
    hookUrl: root + HOOK_PATH,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

interface Simulation extends SimulationOptions {
  readonly priceTables: PriceTables
  readonly random: Random
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  simulation: Simulation,
): Promise<void> {
  const body = await readBody(request)
  if (request.url === HOOK_PATH) return void response.writeHead(204).end()
  const call = findCall(request, body)
  if (call === null) {
    return sendJson(response, 404, openaiDialect.error(404, 'The simulation has nothing there.'))
  }
  const { random } = simulation
  await pause(FIRST_BYTE_MS * (0.5 + random()))
  if (random() < 1 / CALLS_PER_FAULT) {
    const status = random() < 0.6 ? 429 : 503
    return sendJson(response, status, call.dialect.error(status, 'The simulation is overloaded.'))
  }
  const use = drawUse(call, simulation)
  if (!call.isStream) {
    await pause((use.output / 8) * PIECE_MS)
    return sendJson(response, 200, call.dialect.whole(use))
  }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const event of call.dialect.events(use)) {
    if (response.destroyed) return
    response.write(event)
    await pause(PIECE_MS)
  }
  response.end()
}

interface Call {
  readonly dialect: Dialect
  /** Whose list the gateway takes its price from. */
  readonly model: string
  readonly isStream: boolean
  readonly wantsUsage: boolean
  readonly isByok: boolean
  readonly promptChars: number
}

const GOOGLE_PATH = /^\/google\/v1(?:beta)?\/models\/([^:/]+):(stream)?generatecontent$/i

/** Null for what the simulation does not know. */
function findCall(request: IncomingMessage, body: string): Call | null {
  const [path = ''] = (request.url ?? '').split('?')
  const json = parseObject(body)
  if (request.method !== 'POST' || json === null) return null
  const isByok = (request.headers.authorization ?? '').includes(BYOK_PREFIX)
  const options = json['stream_options'] as { include_usage?: unknown } | undefined
  const common = {
    model: typeof json['model'] === 'string' ? json['model'] : '',
    isStream: json['stream'] === true,
    wantsUsage: options?.include_usage === true,
    isByok,
    promptChars: body.length,
  }
  const google = GOOGLE_PATH.exec(path)
  if (google !== null) {
    const [, model = '', stream] = google
    return { ...common, dialect: googleDialect, model, isStream: stream !== undefined }
  }
  if (path === '/gateway/v4/ai/language-model') {
    const { headers } = request
    const model = String(headers['ai-language-model-id'])
    const isStream = headers['ai-language-model-streaming'] === 'true'
    return { ...common, dialect: gatewayDialect, model, isStream }
  }
  const dialect = DIALECTS[path]
  return dialect === undefined ? null : { ...common, dialect }
}

const DIALECTS: Readonly<Record<string, Dialect>> = {
  '/openai/v1/chat/completions': openaiDialect,
  '/acme/v1/chat/completions': openaiDialect,
  '/gateway/v1/chat/completions': gatewayChatDialect,
  '/anthropic/v1/messages': anthropicDialect,
}

function drawUse(call: Call, { random, clock, priceTables }: Simulation): Use {
  const input = Math.max(1, Math.ceil(call.promptChars / CHARS_PER_TOKEN))
  const output = drawSize(random, OUTPUT_TOKENS)
  const cached = input > 1024 && random() < 0.5 ? Math.floor(input / 128 / 2) * 128 : 0
  const wordsPerPiece = Math.ceil(output / PIECES_MAX)
  const pieces = Array.from({ length: Math.ceil(output / wordsPerPiece) }, (_, piece) =>
    Array.from({ length: wordsPerPiece }, (_, word) => wordAt(piece * wordsPerPiece + word)).join(
      '',
    ),
  )
  const createdAt = clock.now()
  const use = { model: call.model, pieces, input, output, cached, createdAt }
  const listCost = listCostOf(use, priceTables)
  const id = `01${Math.floor(random() * 2 ** 48)
    .toString(32)
    .toUpperCase()
    .padStart(24, '0')}`
  return { ...use, id, listCost, isByok: call.isByok, wantsUsage: call.wantsUsage }
}

function wordAt(index: number): string {
  return WORDS[index % WORDS.length] as string
}

type Counted = Pick<Use, 'model' | 'input' | 'output' | 'cached' | 'createdAt'>

/** The list price of the model's vendor; null without one. */
function listCostOf(
  { model, input, output, cached, createdAt }: Counted,
  priceTables: PriceTables,
): bigint {
  const [provider = '', name = ''] = model.split('/')
  const opening = { version: 1, id: '', keyId: null, provider, operation: null, dims: {} } as const
  const event = toInterruptedEvent({ ...opening, startedAt: createdAt }, createdAt)
  const tokens = createTokenCounts({ input, output, cacheRead: cached })
  return priceEvent({ ...event, model: name, usage: 'reported', tokens }, priceTables).amount ?? 0n
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

function parseObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, headers).end(text)
}
