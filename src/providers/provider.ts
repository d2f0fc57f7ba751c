// What a provider is to Weir: a default address, its operations, and how to read usage from each. A
// provider is one file, an address and a registry line; shared code never asks which one it is. Its
// functions may throw, so the proxy calls them through guarded-provider.ts only.

import type { TokenCounts } from '../core/token-counts.ts'
import type { ReportedBilling, UsageShare } from '../core/usage-event.ts'
import type { CredentialLocation } from '../wire/http/credential-locations.ts'

export interface RequestView {
  readonly method: string
  /** After `/v1/{provider}`, without the query, in plain spelling (wire/http/plain-path.ts). */
  readonly path: string
  /** Without the question mark; empty when there is none. */
  readonly query: string
  /** The value of the first header of that lower-case name. */
  header(name: string): string | null
  /** The values of all headers of that lower-case name, in order. */
  headers(name: string): readonly string[]
}

/** Its memory is used again for the next bytes: a reader takes what it needs when it is created. */
export interface ResponseView {
  readonly status: number
  header(name: string): string | null
}

/** What a finished call reported. Null and absent both mean: not reported. */
export interface Reading {
  /**
   * reported   a whole usage figure
   * partial    some of it: the body ended early, or a count could not be read
   * from-request  none is reported, and what the request asked for is counted
   * missing    the body was read and contains none
   * malformed  the body could not be read
   */
  readonly kind: 'reported' | 'partial' | 'from-request' | 'missing' | 'malformed'
  /** The model that ran. */
  readonly model: string | null
  readonly tokens: TokenCounts | null
  readonly toolCalls: Readonly<Record<string, number>>
  readonly serviceTier: string | null
  readonly billing: ReportedBilling | null
  /** True when an error came inside a successful response. */
  readonly hasError: boolean
  /** The provider's own code of that error, or of an error's status: shapes/provider-error.ts. */
  readonly providerError?: string
  /** Events of a stream that were too large to read; absent means none. */
  readonly skippedEvents?: number
  /** Per model, where several ran; `tokens` is their sum. */
  readonly shares?: readonly UsageShare[]
  /** The stored object that the usage belongs to: counted once, however often it is read. */
  readonly countedAs?: string
  /** False: nothing is due for this answer, such as for a job that was only queued. */
  readonly isCharged?: boolean
  /** The body broke off after the answer had ended: nothing of the answer is missing. */
  readonly isFinished?: boolean
  /** The produced text, as JSON with its escapes, where its tokens were not reported. */
  readonly text?: string
}

export const NO_READING: Reading = {
  kind: 'missing',
  model: null,
  tokens: null,
  toolCalls: {},
  serviceTier: null,
  billing: null,
  hasError: false,
}

/** Reads a copy of a response body, in chunks cut anywhere. */
export interface UsageReader {
  feed(bytes: Uint8Array): void
  /** `isWhole` is false when the body broke off. Called once. */
  end(isWhole: boolean): Reading
  /** Bytes of produced text kept in case nothing reports its tokens; absent: none ever are. */
  readonly keptTextBytes?: number | undefined
  /** Drops the kept text and keeps no more: there is no room for it, or no use. */
  dropText?(): void
}

/** Reads a copy of a request body for its model; feeding stops once that is known. */
export interface ModelReader {
  /** True when no more bytes are needed. */
  feed(bytes: Uint8Array): boolean
  end(): string | null
  /**
   * Adds what the request alone says of what is billed, such as the size of images. Called after
   * `end`, for answers that are no errors; `isWhole` is false when the answer broke off.
   */
  complete?(reading: Reading, isWhole: boolean): Reading
}

/**
 * named       every model that the request can run; none where it runs none
 * unreadable  that cannot be said with certainty, and why
 */
export type NamesFound =
  | { readonly kind: 'named'; readonly names: readonly string[] }
  | { readonly kind: 'unreadable'; readonly reason: string }

export const UNREADABLE = { kind: 'unreadable', reason: 'it cannot be read' } as const

/** Strict, unlike ModelReader: finds every model, for keys that may not use them all. */
export interface NamesReader {
  /** True where the body does not matter, and so is neither awaited nor fed. */
  readonly isBodyless?: true | undefined
  /** True where the path alone shows that no model is run. */
  readonly isQuiet?: true | undefined
  /** With content codings undone. */
  feed(bytes: Uint8Array): void
  /** Called once, when the body has ended. */
  end(): NamesFound
}

/** A connection upgraded to a WebSocket, message by message. */
export interface TunnelOperation {
  /** With `steps` each response's figures are told when it ends; `end` has what is left then. */
  createUsageReader(request: RequestView, steps?: ResponseSteps): MessageReader
  /** For one message of the caller's, which usually names none. */
  createNamesReader(): NamesReader
  /** For the record: the model in a caller's message, where the upstream never reports it. */
  readonly readModel?: (message: Uint8Array) => string | null
  /** Null for a message of the caller's that asks for no response. */
  readAsk(message: Uint8Array): AskedResponse | null
  /** Its clients read `{"type":"error","error":{…}}`; absent where the protocol has no errors. */
  readonly hasErrors?: true | undefined
}

export interface AskedResponse {
  /** Null where the message names none. */
  readonly model: string | null
}

/** What becomes of the responses on a socket, as the upstream's messages show it. */
export interface ResponseSteps {
  began(): void
  /** The oldest of those that began, or one of which nothing was seen before. */
  ended(reading: Reading): void
  /** What was asked for last begins no response. */
  refused(): void
}

export interface MessageReader {
  read(message: Uint8Array): void
  /** `isWhole` is false when the connection broke off. Called once. */
  end(isWhole: boolean): Reading
}

export interface Operation {
  /** Stable, since it is stored with every event: `openai-chat`. */
  readonly name: string
  /** Costs nothing by its nature, such as counting tokens. */
  readonly isFree?: true
  /** Whoever has its answer calls the provider without Weir: by a token, or in a session there. */
  readonly derivesToken?: true
  matches(request: RequestView): boolean
  createModelReader(request: RequestView): ModelReader | null
  createNamesReader(request: RequestView): NamesReader
  createUsageReader(request: RequestView, response: ResponseView): UsageReader
  /** For requests that ask to be upgraded. */
  readonly tunnel?: TunnelOperation
}

export type MatchedOperation = Omit<Operation, 'matches'>

/** The shape of errors that this provider's SDKs read. */
export type ErrorShape = 'openai' | 'gateway' | 'google' | 'ollama' | 'bedrock'

/** The shape that most SDKs read: for requests that name no provider. */
export const DEFAULT_ERROR_SHAPE: ErrorShape = 'openai'

/** Where a call went, as far as it can say in which region it is processed. */
export interface CallLocation {
  /** The upstream's, with its port where that is not the usual one. */
  readonly host: string
  /** As the upstream gets it, without the query. */
  readonly path: string
  /** The model that ran, as the record has it. */
  readonly model: string | null
  readonly requestedModel: string | null
}

export interface SampleClient {
  readonly urlVariable: string
  readonly keyVariable: string
  /** How much of the sample's path belongs to the address. */
  readonly basePath: string
}

/** A small call for a person to paste. */
export interface SampleCall {
  /** After `/v1/{provider}`. */
  readonly path: string
  /** One that everybody may use, and that has a price. */
  readonly model: string
  readonly body: Readonly<Record<string, unknown>>
  /** How the caller's own key is sent, `x-api-key: `, and from where; null: none is needed. */
  readonly credential: { readonly header: string; readonly variable: string } | null
  /** What the client that most use for such calls reads its address and its key from. */
  readonly client: SampleClient
  /** Whole lines, beside those of every JSON call. */
  readonly headers?: readonly string[]
}

/** A place where a provider takes its credential: on all paths, or on some only. */
export type DeclaredLocation =
  | CredentialLocation
  | { readonly place: CredentialLocation; readonly paths: RegExp }

/** How the calls of a person who signed in to the provider are told from those of a key. */
export interface PlanCredential {
  /** Of the Authorization header. */
  readonly authorization: RegExp
  /** Which has to be there as well, in lower case. */
  readonly header?: string
}

export interface Provider {
  readonly id: string
  /** The public address; null when every installation has its own. */
  readonly upstream: string | null
  readonly errorShape: ErrorShape
  /** On each path, the first of its headers is where Weir puts a credential by itself. */
  readonly credentialPlaces: readonly DeclaredLocation[]
  readonly operations: readonly Operation[]
  /** Reads calls that none of them matches; left out where their answers state no cost. */
  readonly unknown?: Operation
  /** Whole paths outside `/v1/{provider}`, where this provider's own client calls it. */
  readonly rootPaths?: readonly string[]
  /** Where some of its callers pay by subscription: how to tell their calls. */
  readonly plan?: PlanCredential
  /** Its models' names include the maker: `maker/model`. */
  readonly hasMakersInNames?: true
  /** Its models' names are the customer's labels, which say nothing about what runs. */
  readonly hasOwnLabels?: true
  /** The region that the call itself names, if it does; absent where none ever does. */
  readonly regionOf?: (place: CallLocation) => string | null
  /** Absent where a call depends on what the customer set up. */
  readonly sample?: SampleCall
  /** Loads what would delay the first call; called at start if the provider is in use. */
  prepare?(): void
}

/** The name that policies use for a model: `maker/model`. */
export function toSlug(provider: Pick<Provider, 'id' | 'hasMakersInNames'>, model: string): string {
  return provider.hasMakersInNames ? model : `${provider.id}/${model}`
}

const PROVIDER_ID = /^[a-z][a-z0-9-]{0,31}$/

/** `path` is what follows `/v1/{provider}`. */
export function placesAt(
  { credentialPlaces }: Pick<Provider, 'credentialPlaces'>,
  path: string,
): readonly CredentialLocation[] {
  return credentialPlaces.flatMap((declared) => {
    if (typeof declared === 'string') return [declared]
    return declared.paths.test(path) ? [declared.place] : []
  })
}

type Defaulted = 'errorShape' | 'credentialPlaces'

/** Both defaults are OpenAI's; its error's body also works for the Anthropic SDKs. */
export function defineProvider(
  provider: Omit<Provider, Defaulted> & Partial<Pick<Provider, Defaulted>>,
): Provider {
  if (!PROVIDER_ID.test(provider.id)) throw new Error(`Not a provider id: ${provider.id}`)
  return Object.freeze({
    errorShape: DEFAULT_ERROR_SHAPE,
    credentialPlaces: DEFAULT_CREDENTIAL_PLACES,
    ...provider,
  })
}

const DEFAULT_CREDENTIAL_PLACES: readonly CredentialLocation[] = ['bearer']
