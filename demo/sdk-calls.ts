// A question asked with the official SDKs, set up as any caller would: the address, the key as a
// header, and that is all.

import { createGateway } from '@ai-sdk/gateway'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { generateText, streamText } from 'ai'
import OpenAI from 'openai'

import { BYOK_PREFIX } from './simulated-providers.ts'

export interface Ask {
  readonly model: string
  readonly prompt: string
  readonly isStream: boolean
  readonly signal: AbortSignal
  readonly proxyUrl: string
  /** `X-SVC-API-Key` and, on most calls, `X-SVC-Dims`. */
  readonly headers: Readonly<Record<string, string>>
}

/** Resolves when the answer is complete. Each call is one attempt, so that failures show. */
export type AskSdk = (ask: Ask) => Promise<void>

const TOKENS_MAX = 1024

/** OpenAI's SDK; `path` is the provider, since the company's own server speaks the same. */
function askOpenai(path: string, hasUsage: boolean): AskSdk {
  return async ({ proxyUrl, headers, model, prompt, isStream, signal }) => {
    const client = new OpenAI({
      baseURL: `${proxyUrl}/v1/${path}/v1`,
      apiKey: 'sk-simulated',
      defaultHeaders: headers,
      maxRetries: 0,
    })
    const body = { model, messages: [{ role: 'user' as const, content: prompt }] }
    if (!isStream) return void (await client.chat.completions.create(body, { signal }))
    const options = hasUsage ? { stream_options: { include_usage: true } } : {}
    const stream = await client.chat.completions.create(
      { ...body, ...options, stream: true },
      { signal },
    )
    await readAll(stream)
  }
}

const askAnthropic: AskSdk = async ({ proxyUrl, headers, model, prompt, isStream, signal }) => {
  const client = new Anthropic({
    baseURL: `${proxyUrl}/v1/anthropic`,
    apiKey: 'sk-ant-simulated',
    defaultHeaders: headers,
    maxRetries: 0,
  })
  const messages = [{ role: 'user' as const, content: prompt }]
  const body = { model, max_tokens: TOKENS_MAX, messages }
  if (!isStream) return void (await client.messages.create(body, { signal }))
  await readAll(await client.messages.create({ ...body, stream: true }, { signal }))
}

const askGoogle: AskSdk = async ({ proxyUrl, headers, model, prompt, isStream, signal }) => {
  const httpOptions = { baseUrl: `${proxyUrl}/v1/google`, headers: { ...headers } }
  const client = new GoogleGenAI({ apiKey: 'AIza-simulated', httpOptions })
  const request = { model, contents: prompt, config: { abortSignal: signal } }
  if (isStream) await readAll(await client.models.generateContentStream(request))
  else await client.models.generateContent(request)
}

function askGateway(apiKey: string): AskSdk {
  return async ({ proxyUrl, headers, model, prompt, isStream, signal }) => {
    const gateway = createGateway({ baseURL: `${proxyUrl}/v1/gateway/v4/ai`, apiKey, headers })
    const request = { model: gateway(model), prompt, maxRetries: 0, abortSignal: signal }
    if (!isStream) return void (await generateText(request))
    const { fullStream } = streamText({ ...request, onError: () => {} })
    await readAll(fullStream)
  }
}

async function readAll(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _part of stream) continue
}

export const SDKS = {
  openai: askOpenai('openai', true),
  /** A stream that is not asked to report its usage. */
  openaiUntold: askOpenai('openai', false),
  acme: askOpenai('acme', true),
  anthropic: askAnthropic,
  google: askGoogle,
  gateway: askGateway('vck_simulated'),
  gatewayByok: askGateway(`${BYOK_PREFIX}simulated`),
} as const satisfies Readonly<Record<string, AskSdk>>
