// The `@google/genai` client: an answer with thoughts, streamed and not.

import { GoogleGenAI } from '@google/genai'

import { eventsReply, jsonReply } from '../fakes/upstreams/replying-upstream.ts'
import { QUESTION, toEvent } from './client-case.ts'
import type { Address, ClientCase } from './client-case.ts'

const MODEL = 'gemini-2.5-flash'

function toAnswer(text: string, usage: object, rest: object = {}): unknown {
  return {
    candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...rest }],
    usageMetadata: usage,
    modelVersion: MODEL,
    responseId: 'r-1',
  }
}

const USAGE = {
  promptTokenCount: 5000,
  cachedContentTokenCount: 2000,
  candidatesTokenCount: 300,
  thoughtsTokenCount: 700,
  toolUsePromptTokenCount: 1000,
  totalTokenCount: 7000,
}
const EXPECTED = {
  requestedModel: MODEL,
  model: MODEL,
  tokens: { input: 6000, cacheRead: 2000, output: 1000, reasoning: 700 },
  // 4000 × 0.30, 2000 × 0.03 and 1000 × 2.50 USD a million.
  cost: '0.00376',
  source: 'price-book',
} as const

function create({ baseUrl, headers }: Address): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: 'AIza-invented',
    httpOptions: { baseUrl, headers: { ...headers } },
  })
}

export const googleCases: readonly ClientCase[] = [
  {
    name: 'google: an answer with thoughts',
    provider: 'google',
    reply: jsonReply(toAnswer('The Ister.', USAGE, { finishReason: 'STOP' })),
    call: async (address) => {
      const answer = await create(address).models.generateContent({
        model: MODEL,
        contents: QUESTION,
      })
      return answer.text ?? ''
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
  {
    name: 'google: a streamed answer with thoughts',
    provider: 'google',
    reply: eventsReply([
      toEvent(toAnswer('The ', { promptTokenCount: 5000, totalTokenCount: 5000 })),
      toEvent(toAnswer('Ister.', USAGE, { finishReason: 'STOP' })),
    ]),
    call: async (address) => {
      const { models } = create(address)
      let text = ''
      const stream = await models.generateContentStream({ model: MODEL, contents: QUESTION })
      for await (const chunk of stream) text += chunk.text ?? ''
      return text
    },
    text: 'The Ister.',
    expected: EXPECTED,
  },
]
