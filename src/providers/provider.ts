// What a provider is to Weir: a default address, the operations it offers, and for each of them how
// its bytes say what was used. A provider is one file that calls defineProvider, an address and a
// registry line. Shared code asks what a provider declares, never who it is. Its functions may
// throw: the proxy calls them through guarded-provider.ts alone.

import type { TokenCounts } from '../core/token-counts.ts'
import type { ReportedBilling, UsageShare } from '../core/usage-event.ts'

/** The request line and headers, as far as a provider may look at them. */
export interface RequestView {
  readonly method: string
  /** After `/v1/{provider}`, without the query. */
  readonly path: string
  /** Without the question mark; empty when there is none. */
  readonly query: string
  /** The value of the first header of that (lower-case) name. */
  header(name: string): string | null
  /** The values of all headers of that (lower-case) name, in their order. */
  headers(name: string): readonly string[]
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
   * missing    the body was read and contains none
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
  /** What each model used, where several ran; `tokens` is their sum. */
  readonly shares?: readonly UsageShare[]
  /** The stored object that this usage belongs to: counted once, however often it is read. */
  readonly countedAs?: string
  /** False: nothing is due for this answer, such as for a job that was only queued. */
  readonly isCharged?: boolean
  /** The body broke off behind the answer's own last word: nothing of the answer is missing. */
  readonly isFinished?: boolean
  /**
   * The text that was produced, where nothing reported its tokens: as it stood in the JSON, escapes
   * and all.
   */
  readonly text?: string
}

/** What is left to say where nothing was said. */
export const NO_READING: Reading = {
  kind: 'missing',
  model: null,
  tokens: null,
  toolCalls: {},
  serviceTier: null,
  billing: null,
  hasError: false,
}

/** Reads a copy of a response body. It may be fed any cut of the bytes. */
export interface UsageReader {
  feed(bytes: Uint8Array): void
  /** `isWhole` is false when the body broke off. Called once. */
  end(isWhole: boolean): Reading
  /**
   * How much of the text that is produced is kept in case that nothing reports its tokens; absent:
   * none ever is.
   */
  readonly keptTextBytes?: number | undefined
  /** Keeps no text from now on, nor what was kept so far: there is no room for it, or no use. */
  dropText?(): void
}

/** Reads a copy of a request body for the model it names; feeding stops once it is known. */
export interface ModelReader {
  /** True when no more bytes are wanted. */
  feed(bytes: Uint8Array): boolean
  end(): string | null
}

/**
 * named       every model that the request can run; none where it runs none
 * unreadable  that cannot be said with certainty, and why
 */
export type NamesFound =
  | { readonly kind: 'named'; readonly names: readonly string[] }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Where nothing more can be said of it. */
export const UNREADABLE = { kind: 'unreadable', reason: 'it cannot be read' } as const

/**
 * Reads a whole request for every model that it names, for keys that may not use them all. Where
 * ModelReader is quick, this is strict: what it does not understand is unreadable.
 */
export interface NamesReader {
  /** True where the body reports nothing of it, and so is neither waited for nor fed. */
  readonly isBodyless?: true | undefined
  /** True where the path alone says that no model is run. */
  readonly isQuiet?: true | undefined
  /** Bytes of the body, content codings undone. */
  feed(bytes: Uint8Array): void
  /** Called once, when the body has ended. */
  end(): NamesFound
}

/** What is said on a connection that was upgraded to a WebSocket, message by message. */
export interface TunnelOperation {
  /** Reads the upstream's messages. */
  createUsageReader(request: RequestView): MessageReader
  /** For one message of the caller's; that it names none is usual. */
  createNamesReader(): NamesReader
  /**
   * For the record, the model which one message of the caller's names; for shapes whose upstream
   * never says it.
   */
  readonly readModel?: (message: Uint8Array) => string | null
}

export interface MessageReader {
  read(message: Uint8Array): void
  /** `isWhole` is false when the connection broke off. Called once. */
  end(isWhole: boolean): Reading
}

export interface Operation {
  /** Stable: it is stored with every event. `openai-chat`. */
  readonly name: string
  /** Costs nothing by its nature: counting tokens, looking something up. */
  readonly isFree?: true
  matches(request: RequestView): boolean
  createModelReader(request: RequestView): ModelReader | null
  createNamesReader(request: RequestView): NamesReader
  createUsageReader(request: RequestView, response: ResponseView): UsageReader
  /** For requests that ask to be upgraded. */
  readonly tunnel?: TunnelOperation
}

/** The operation that a request was found to be. */
export type MatchedOperation = Omit<Operation, 'matches'>

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
  /**
   * Whole paths outside `/v1/{provider}` that are this provider's too, since its own client calls
   * them there.
   */
  readonly rootPaths?: readonly string[]
  /** Its models' names include the maker: `maker/model`. */
  readonly hasMakersInNames?: true
  /**
   * Its models' names are labels of the customer's own, which say nothing about what runs behind
   * them.
   */
  readonly hasOwnLabels?: true
  /**
   * Loads what would make the first call wait; called before any call, where the provider is in
   * use.
   */
  prepare?(): void
}

/** The name by which a policy knows a model: `maker/model`. */
export function toSlug(provider: Pick<Provider, 'id' | 'hasMakersInNames'>, model: string): string {
  return provider.hasMakersInNames ? model : `${provider.id}/${model}`
}

const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/

/** The error shape defaults to OpenAI's, whose body satisfies the Anthropic SDKs too. */
export function defineProvider(
  provider: Omit<Provider, 'errorShape'> & { errorShape?: ErrorShape },
): Provider {
  if (!PROVIDER_ID.test(provider.id)) throw new Error(`Not a provider id: ${provider.id}`)
  return Object.freeze({ errorShape: DEFAULT_ERROR_SHAPE, ...provider })
}
