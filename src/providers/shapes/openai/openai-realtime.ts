// OpenAI's realtime sessions, also of gateways that write `response.done` as `response-done`. Must
// stay true: responses' figures are summed, and speech is transcribed by another model.

import { createTokenCounts } from '../../../core/token-counts.ts'
import type { TokenCounts } from '../../../core/token-counts.ts'
import type { Operation, Reading, ResponseSteps } from '../../provider.ts'
import { withCachedParts } from '../cached-parts.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toName, toObject } from '../json-leaves.ts'
import { ModelShares } from '../model-shares.ts'
import { OpenaiUsage } from './openai-usage.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'
import { beginsLike, parameterNames, socketOperation, toSessionKind } from '../socket-operation.ts'
import type { SocketReader } from '../socket-operation.ts'

export function openaiRealtime(path: PathPattern, options: ModelOptions = {}): Operation {
  return socketOperation({
    name: 'openai-realtime',
    path,
    addition: options.addition,
    // The conversation is the caller's own. Not `audio`: a session's settings use that name too.
    names: { content: ['item'] },
    isHidden: ({ query }) => parameterNames(query).includes('call_id'),
    readModel: findSessionModel,
    askWords: ASK_KINDS,
    readAsk: (document) => (isAsk(document) ? { model: findSessionModel(document) } : null),
    hasErrors: true,
    createReader: (requestedModel, steps) => new RealtimeReader(requestedModel, steps),
  })
}

const CONTENT = /"type"\s*:\s*"[^"]*(?:[.-]delta|audio-chunk|transcript-fragment)"/
/** A day; no session is longer. */
const SECONDS_MAX = 24 * 3600
/** For a transcription model that was never named: it has no price. */
const UNNAMED_TRANSCRIBER = 'transcription'

/** Live sessions get their model from the first message. */
function findSessionModel(document: JsonObject): string | null {
  const session = toObject(document['session'] ?? document['config'])
  return toName(session?.['model']) ?? toName(session?.['modelId']) ?? toName(document['modelId'])
}

/** The second is the AI SDK's. */
export const ASK_KINDS = ['response.create', 'response-create']

export function isAsk(document: JsonObject): boolean {
  return ASK_KINDS.includes(toName(document['type']) ?? '')
}

class RealtimeReader implements SocketReader {
  readonly #steps: ResponseSteps | null
  #shares = new ModelShares()
  #model: string | null
  #transcriber: string | null = null
  /** A model has answered; otherwise speech was only transcribed. */
  #hasAnswered = false
  #openResponses = 0
  /** Something was answered, and nothing reported its usage. */
  #isAwaitingEstimate = false
  #audioMs = 0
  #sessionMs: number | null = null
  /** Billed by its length, which has not been reported in full. */
  #isLive = false
  #hasError = false

  constructor(requestedModel: string | null, steps: ResponseSteps | null) {
    this.#model = requestedModel
    this.#steps = steps
  }

  isContent(message: Buffer): boolean {
    return beginsLike(message, CONTENT)
  }

  read(document: JsonObject): void {
    const type = toName(document['type'])?.replaceAll('-', '.') ?? ''
    if (/^(?:transcription_)?session\./.test(type)) this.#readSession(document, type)
    else if (type === 'response.created' || type === 'stream.start') this.#begin()
    else if (type === 'response.done') this.#readResponse(document)
    else if (type === 'response.event') this.#readDelegated(toObject(document['event']))
    else if (type === 'finish') this.#readFinish(document)
    else if (type.endsWith('transcription.completed')) this.#readTranscript(document['usage'])
    // Most errors leave the session open: an answer after one means that it was survived.
    else if (type === 'error') this.#readError()
  }

  end(isWhole: boolean): Reading {
    const isOpen = this.#openResponses > 0 || this.#isAwaitingEstimate || this.#isLive
    return this.#toReading({ isWhole, isOpen })
  }

  #begin(): void {
    this.#openResponses++
    this.#steps?.began()
  }

  /** What came since the last one ended is its own: others that run have no figures yet. */
  #finish(): void {
    this.#openResponses = Math.max(0, this.#openResponses - 1)
    if (this.#steps === null) return
    const reading = this.#toReading({ isWhole: true, isOpen: this.#isAwaitingEstimate })
    this.#shares = new ModelShares()
    this.#audioMs = 0
    this.#hasAnswered = false
    this.#isAwaitingEstimate = false
    this.#hasError = false
    this.#steps.ended(reading)
  }

  #readError(): void {
    this.#hasError = true
    if (this.#openResponses === 0) this.#steps?.refused()
  }

  #toReading({ isWhole, isOpen }: { isWhole: boolean; isOpen: boolean }): Reading {
    const model = this.#hasAnswered ? this.#model : (this.#transcriber ?? this.#model)
    const { tokens } = this.#shares
    const shares = this.#shares.toShares(model)
    const toolCalls = {
      ...(this.#audioMs > 0 ? { audio_ms: this.#audioMs } : {}),
      ...(this.#sessionMs === null ? {} : { session_ms: this.#sessionMs }),
    }
    const isMeasured = tokens !== null || Object.keys(toolCalls).length > 0
    return {
      ...toSessionKind({ isWhole, isOpen, isMeasured }),
      model,
      tokens,
      toolCalls,
      serviceTier: null,
      billing: null,
      hasError: this.#hasError,
      ...(shares === undefined ? {} : { shares }),
    }
  }

  #readSession(document: JsonObject, type: string): void {
    const session = toObject(document['session'])
    this.#model = toName(session?.['model']) ?? this.#model
    const input = toObject(toObject(session?.['audio'])?.['input'])
    const transcription = toObject(
      input?.['transcription'] ?? session?.['input_audio_transcription'],
    )
    this.#transcriber = toName(transcription?.['model']) ?? this.#transcriber
    // Live sessions are billed by their length, which each message reports from the start.
    const length = toMs(toObject(document['usage'])?.['seconds'])
    if (length !== null) this.#sessionMs = length
    if (type === 'session.started') {
      this.#isLive = true
      this.#begin()
    }
    if (type === 'session.closed' && length !== null) {
      this.#isLive = false
      this.#finish()
    }
  }

  #readResponse(document: JsonObject): void {
    const response = toObject(document['response'])
    this.#hasAnswered = true
    this.#hasError = (response?.['status'] ?? document['status']) === 'failed'
    const tokens = toTokens(response?.['usage'] ?? document['usage'])
    if (tokens !== null) this.#shares.add(this.#model, tokens)
    else this.#isAwaitingEstimate ||= !this.#hasError
    this.#finish()
  }

  /** The last event of the AI SDK's speech and transcription streams. */
  #readFinish(document: JsonObject): void {
    const usage = toObject(document['usage'])
    this.#hasAnswered = true
    const tokens = toTokens(usage)
    const length = toMs(document['durationInSeconds']) ?? toMs(usage?.['seconds'])
    if (tokens !== null) this.#shares.add(this.#model, tokens)
    this.#audioMs += length ?? 0
    this.#isAwaitingEstimate ||= tokens === null && length === null
    this.#finish()
  }

  /** A live session can delegate to a text model, whose figures come in its own last event. */
  #readDelegated(event: JsonObject | null): void {
    const response = toObject(event?.['response'])
    const tokens = toTokens(response?.['usage'])
    if (tokens === null) return
    this.#shares.add(toName(response?.['model']) ?? this.#model, tokens)
  }

  #readTranscript(usage: unknown): void {
    const tokens = toTokens(usage)
    if (tokens !== null) this.#shares.add(this.#transcriber ?? UNNAMED_TRANSCRIBER, tokens)
    else this.#audioMs += toMs(toObject(usage)?.['seconds']) ?? 0
    // Beside an answer it is a share of that; by itself it is all that was asked for.
    if (this.#openResponses > 0 || this.#steps === null) return
    this.#begin()
    this.#finish()
  }
}

function toTokens(value: unknown): TokenCounts | null {
  const usage = toObject(value)
  if (usage === null) return null
  const own = new OpenaiUsage()
  own.read(usage)
  const tokens = own.tokens()
  if (tokens === null) return toNormalisedTokens(usage)
  const details = toObject(usage['input_token_details'] ?? usage['input_tokens_details'])
  return withoutCached(tokens, toObject(details?.['cached_tokens_details']))
}

/** Cached sound and images are charged as cached: `inputAudio` and `inputImage` are the rest. */
function withoutCached(tokens: TokenCounts, cached: JsonObject | null): TokenCounts {
  const audio = toFigure(cached?.['audio_tokens'])
  const image = toFigure(cached?.['image_tokens'])
  const fresh = tokens.input - tokens.cacheRead
  const freshAudio = Math.max(0, tokens.inputAudio - (audio ?? 0))
  const freshImage = Math.max(0, tokens.inputImage - (image ?? 0))
  const inputAudio = Math.min(freshAudio, fresh)
  const inputImage = Math.min(freshImage, fresh - inputAudio)
  return withCachedParts({ ...tokens, inputAudio, inputImage }, { audio, image })
}

/** The AI SDK's names for the same; every figure may be missing, totals too. */
function toNormalisedTokens(usage: JsonObject): TokenCounts | null {
  const count = (name: string): number | null => toFigure(usage[name])
  const sum = (one: string, other: string): number | null => {
    const parts = [count(one), count(other)].filter((part) => part !== null)
    return parts.length === 0 ? null : parts.reduce((total, part) => total + part, 0)
  }
  const input = count('inputTokens') ?? sum('inputTextTokens', 'inputAudioTokens')
  const output = count('outputTokens') ?? sum('outputTextTokens', 'outputAudioTokens')
  if (input === null && output === null) return null
  const cached =
    count('cachedInputTokens') ?? sum('cachedInputTextTokens', 'cachedInputAudioTokens')
  const tokens = createTokenCounts({
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: Math.min(cached ?? 0, input ?? 0),
    inputAudio: count('inputAudioTokens') ?? 0,
    outputAudio: Math.min(count('outputAudioTokens') ?? 0, output ?? 0),
  })
  return withoutCached(tokens, { audio_tokens: usage['cachedInputAudioTokens'] })
}

/** Whole milliseconds; null where it is not a duration. */
function toMs(seconds: unknown): number | null {
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds <= SECONDS_MAX
  return isTime ? Math.round(seconds * 1000) : null
}
