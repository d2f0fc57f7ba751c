// What a provider is to Weir: a default address, the operations it offers, and for each of them how
// its bytes say what was used. A provider is one file that calls defineProvider and one registry line.
// Shared code asks what a provider declares, never who it is.

import type { TokenCounts } from '../core/token-counts.ts'
import type { ReportedBilling } from '../core/usage-event.ts'

/** The request line and headers, as far as a provider may look at them. */
export interface RequestView {
  readonly method: string
  /** After `/v1/{provider}`, without the query. */
  readonly path: string
  /** Without the question mark; empty when there is none. */
  readonly query: string
  /** The value of the first header of that (lower-case) name. */
  header(name: string): string | null
}

export interface ResponseView {
  readonly status: number
  header(name: string): string | null
}

/** What a finished call said of itself. Null and absent both mean: it did not say. */
export interface Reading {
  /**
   * reported   a whole usage figure
   * partial    some of it, then the body ended early
   * missing    the body was read and holds none
   * malformed  the body could not be read
   */
  readonly kind: 'reported' | 'partial' | 'missing' | 'malformed'
  /** The model that ran. */
  readonly model: string | null
  readonly tokens: TokenCounts | null
  readonly toolCalls: Readonly<Record<string, number>>
  readonly serviceTier: string | null
  readonly billing: ReportedBilling | null
  /** True when an error came inside a successful response. */
  readonly hasError: boolean
  /** Events of a stream that were too large to be read; absent means none. */
  readonly skippedEvents?: number
}

/** Reads a copy of a response body. It may be fed any cut of the bytes, and may throw: the tap catches. */
export interface UsageReader {
  feed(bytes: Uint8Array): void
  /** `isWhole` is false when the body broke off. Called once. */
  end(isWhole: boolean): Reading
}

/** Reads a copy of a request body for the model it names; feeding stops once it is known. */
export interface ModelReader {
  /** True when no more bytes are wanted. */
  feed(bytes: Uint8Array): boolean
  end(): string | null
}

export interface Operation {
  /** Stable: it is stored with every event. `openai-chat`. */
  readonly name: string
  matches(request: RequestView): boolean
  createModelReader(request: RequestView): ModelReader | null
  createUsageReader(request: RequestView, response: ResponseView): UsageReader
}

/** In which shape the SDKs of this provider read an error. */
export type ErrorShape = 'openai' | 'gateway' | 'google' | 'ollama' | 'bedrock'

/** The shape that most SDKs read: for answers to requests that name no provider. */
export const DEFAULT_ERROR_SHAPE: ErrorShape = 'openai'

export interface Provider {
  readonly id: string
  /** The public address; null when every installation has its own. */
  readonly upstream: string | null
  readonly errorShape: ErrorShape
  readonly operations: readonly Operation[]
}

const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/

/** The error shape defaults to OpenAI's, whose body satisfies the Anthropic SDKs too. */
export function defineProvider(
  provider: Omit<Provider, 'errorShape'> & { errorShape?: ErrorShape },
): Provider {
  if (!PROVIDER_ID.test(provider.id)) throw new Error(`Not a provider id: ${provider.id}`)
  return Object.freeze({ errorShape: DEFAULT_ERROR_SHAPE, ...provider })
}
