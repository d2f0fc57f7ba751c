// The official SDKs as a caller would set them up: the address, the key as a default header, and
// the SDK's own options for retries and time limits.

import { createGateway } from '@ai-sdk/gateway'
import type { GatewayProvider } from '@ai-sdk/gateway'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'

import type { Side } from './compare.ts'

export interface CallOptions {
  readonly retries?: number
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

type Address = Pick<Side, 'baseUrl' | 'headers'>

const CONTENT = 'Wie heißt 川?'
const MESSAGES = [{ role: 'user' as const, content: CONTENT }]

export const OPENAI_ASK = { model: 'sparrow-4', messages: MESSAGES }
export const ANTHROPIC_ASK = { model: 'claude-fake-1', max_tokens: 100, messages: MESSAGES }
export const GOOGLE_ASK = { model: 'gemini-fake', contents: CONTENT }

export function createOpenai({ baseUrl, headers }: Address, options: CallOptions = {}): OpenAI {
  return new OpenAI({
    baseURL: `${baseUrl}/v1`,
    apiKey: 'sk-invented',
    defaultHeaders: headers,
    maxRetries: options.retries ?? 0,
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  })
}

export function createAnthropic(
  { baseUrl, headers }: Address,
  options: CallOptions = {},
): Anthropic {
  return new Anthropic({
    baseURL: baseUrl,
    apiKey: 'sk-ant-invented',
    defaultHeaders: headers,
    maxRetries: options.retries ?? 0,
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  })
}

/** Without retries this SDK is left as it comes: it makes one attempt. */
export function createGoogle(
  { baseUrl, headers }: Address,
  { retries = 0, timeoutMs }: CallOptions = {},
): GoogleGenAI {
  const retryOptions = { attempts: retries + 1, initialDelay: 0.01, jitter: 0 }
  return new GoogleGenAI({
    apiKey: 'AIza-invented',
    httpOptions: {
      baseUrl,
      headers: { ...headers },
      ...(retries === 0 ? {} : { retryOptions }),
      ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
    },
  })
}

export function createAiGateway({ baseUrl, headers }: Address): GatewayProvider {
  return createGateway({ baseURL: `${baseUrl}/v4/ai`, apiKey: 'vck_invented', headers })
}

/** What generateText and streamText take. */
export function toAiRequest(address: Address, options: CallOptions) {
  const { retries = 0, signal, timeoutMs } = options
  return {
    model: createAiGateway(address)('acme/writer'),
    prompt: CONTENT,
    maxRetries: retries,
    ...(signal === undefined ? {} : { abortSignal: signal }),
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  }
}
