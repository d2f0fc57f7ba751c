// The `ollama` client: chat in one line and in many. A model on one's own machine is free.

import { Ollama } from 'ollama'

import { jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import type { AnswerReply } from '../fakes/upstreams/replying-upstream.ts'
import { MESSAGES } from './client-case.ts'
import type { Address, ClientCase } from './client-case.ts'

const MODEL = 'llama3.2'
const DONE = {
  done: true,
  done_reason: 'stop',
  total_duration: 5_000_000,
  load_duration: 1_000_000,
  prompt_eval_count: 26,
  prompt_eval_duration: 1_000_000,
  eval_count: 8,
  eval_duration: 3_000_000,
}
const EXPECTED = {
  requestedModel: MODEL,
  model: MODEL,
  tokens: { input: 26, output: 8 },
  cost: '0',
  source: 'free',
} as const

function toLine(content: string, rest: object = { done: false }): object {
  const message = { role: 'assistant', content }
  return { model: MODEL, created_at: '2026-11-01T00:00:00Z', message, ...rest }
}

const LINES: AnswerReply = {
  headers: { 'content-type': 'application/x-ndjson' },
  pieces: [toLine('The '), toLine('Ister.'), toLine('', DONE)].map(
    (line) => `${JSON.stringify(line)}\n`,
  ),
}

function create({ baseUrl, headers }: Address): Ollama {
  return new Ollama({ host: baseUrl, headers: { ...headers } })
}

export const ollamaCases: readonly ClientCase[] = [
  {
    name: 'ollama: a chat',
    provider: 'ollama',
    reply: jsonReply(toLine('The Ister.', DONE)),
    call: async (address) => {
      const { message } = await create(address).chat({ model: MODEL, messages: MESSAGES })
      return message.content
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'ollama: a streamed chat',
    provider: 'ollama',
    reply: LINES,
    call: async (address) => {
      let text = ''
      const request = { model: MODEL, messages: MESSAGES, stream: true as const }
      for await (const { message } of await create(address).chat(request)) text += message.content
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
]
