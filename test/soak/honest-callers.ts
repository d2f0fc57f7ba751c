// The honest callers of the soak and their provider: calls at a steady rate whether or not the last
// ones were answered, each timed, each answer checked, the cost of all known beforehand.

import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { systemClock } from '../../src/core/clock.ts'

export interface HonestCallers {
  /** How long each call took since the last time this was asked, in milliseconds. */
  takeTimes(): number[]
  readonly figures: HonestFigures
  /** Resolves when the last answer is there. */
  stop(): Promise<void>
}

export interface HonestFigures {
  calls: number
  /** In 1e-12 USD. */
  cost: bigint
  /** The first few, in words. */
  readonly faults: string[]
}

export interface HonestUpstream {
  readonly url: string
  readonly received: () => number
  close(): Promise<void>
}

const MODEL = 'gpt-4.1-mini'
/** USD a million tokens, times 1e6, is 1e-12 USD a token: 0.40 in, 1.60 out. */
const PRICE = { input: 400_000n, output: 1_600_000n }
const FAULTS_MAX = 20
const SOCKETS_MAX = 64
/** Every so many calls are streamed. */
const STREAMED_EVERY = 3

export async function openHonestUpstream(): Promise<HonestUpstream> {
  let received = 0
  const server = createServer((incoming, response) => {
    received += 1
    void text(incoming).then((body) => {
      const n = Number(incoming.headers['x-soak-call'])
      const { stream } = JSON.parse(body) as { stream: boolean }
      response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json')
      response.end(toAnswer(n, stream))
    })
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received: () => received,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export function openHonestCallers(url: string, key: string, perSecond: number): HonestCallers {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })
  const figures: HonestFigures = { calls: 0, cost: 0n, faults: [] }
  const running = new Set<Promise<void>>()
  const beganAt = systemClock.monotonic()
  let times: number[] = []
  async function callOnce(n: number): Promise<void> {
    const sentAt = systemClock.monotonic()
    const isStreamed = n % STREAMED_EVERY === 0
    const answer = await send(n, isStreamed, { url, key, agent })
    times.push(systemClock.monotonic() - sentAt)
    const { input, output } = toTokens(n)
    figures.cost += BigInt(input) * PRICE.input + BigInt(output) * PRICE.output
    if (answer !== toAnswer(n, isStreamed) && figures.faults.length < FAULTS_MAX) {
      figures.faults.push(`call ${n} was answered ${JSON.stringify(answer.slice(0, 200))}`)
    }
  }
  const timer = setInterval(() => {
    // From the clock, not from the ticks: a late tick makes up for what it missed.
    const due = ((systemClock.monotonic() - beganAt) / 1000) * perSecond
    while (figures.calls < due) {
      const call = callOnce(++figures.calls).finally(() => running.delete(call))
      running.add(call)
    }
  }, 5)
  return {
    figures,
    takeTimes: () => {
      const taken = times
      times = []
      return taken
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all(running)
      agent.destroy()
    },
  }
}

interface SendOptions {
  readonly url: string
  readonly key: string
  readonly agent: Agent
}

/** The body of the answer, or why there is none. */
function send(n: number, stream: boolean, { url, key, agent }: SendOptions): Promise<string> {
  const messages = [{ role: 'user', content: `Call ${n}: how high does the river stand?` }]
  const options = stream ? { stream_options: { include_usage: true } } : {}
  const body = JSON.stringify({ model: MODEL, stream, ...options, messages })
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-svc-api-key': key,
    'x-soak-call': n,
  }
  return new Promise((resolve) => {
    const address = `${url}/v1/openai/v1/chat/completions`
    const outgoing = request(address, { method: 'POST', agent, headers })
    outgoing.once('error', (error) => resolve(String(error)))
    outgoing.once('response', (response) => {
      text(response).then(resolve, (error: unknown) => resolve(String(error)))
    })
    outgoing.end(body)
  })
}

function toTokens(n: number): { readonly input: number; readonly output: number } {
  return { input: 100 + (n % 977), output: 10 + (n % 311) }
}

function toAnswer(n: number, isStreamed: boolean): string {
  const { input, output } = toTokens(n)
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
  const base = { id: `chatcmpl-${n}`, created: 1, model: MODEL }
  const content = 'As high as yesterday.'
  if (!isStreamed) {
    const message = { role: 'assistant', content }
    const choices = [{ index: 0, message, finish_reason: 'stop' }]
    return JSON.stringify({ ...base, object: 'chat.completion', choices, usage })
  }
  const events = [
    { choices: [{ index: 0, delta: { content }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    { choices: [], usage },
  ].map((members) => JSON.stringify({ ...base, object: 'chat.completion.chunk', ...members }))
  return [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}
