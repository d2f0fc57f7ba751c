// Bedrock's InvokeModel: a vendor's answer, as JSON or in an event stream. Anthropic's and Nova's
// have their usage; others' is in Bedrock's headers or final metrics. Must stay true: these are
// never added.

import type { TokenCounts } from '../../../core/token-counts.ts'
import { parseJson } from '../../../wire/json/json-members.ts'
import type { Operation, RequestView, ResponseView } from '../../provider.ts'
import { ANTHROPIC_MESSAGES, AnthropicMessagesReader } from '../anthropic/anthropic-messages.ts'
import { readBedrockFigures, toBedrockTier, toBedrockTokens } from './bedrock-figures.ts'
import type { BedrockFigures } from './bedrock-figures.ts'
import { bedrockCall, findBedrockModel, modelPath } from './bedrock-model.ts'
import type { BodyDocuments, BodyDocumentsOptions } from '../body-documents.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import { createEventStreamDocuments, FAULT } from './event-stream-documents.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toFigure, toObject } from '../json-leaves.ts'

const METRICS = 'amazon-bedrock-invocationMetrics'
const NOVA_END = 'metadata'

const INVOKE: DocumentShape = {
  needles: [...ANTHROPIC_MESSAGES.needles, '"inputTokens"', METRICS],
  members: { ...ANTHROPIC_MESSAGES.members, [NOVA_END]: { usage: true }, [METRICS]: true },
  // Of Anthropic's answers, then of those of others.
  texts: [...(ANTHROPIC_MESSAGES.texts ?? []), 'generation', 'outputText', 'completion'],
  callTokens: ANTHROPIC_MESSAGES.callTokens ?? 0,
  createReader: (request, response) => new InvokeReader(request, response),
}

const INVOKE_STREAM: DocumentShape = { ...INVOKE, createDocuments: createPackedDocuments }

export function bedrockInvoke(base: string): readonly Operation[] {
  const streamPath = modelPath(base, 'invoke-with-response-stream')
  return [
    bedrockCall('bedrock-invoke', modelPath(base, 'invoke'), { answer: INVOKE }),
    bedrockCall('bedrock-invoke-stream', streamPath, { answer: INVOKE_STREAM }),
  ]
}

class InvokeReader implements DocumentReader {
  readonly #vendor = new AnthropicMessagesReader()
  readonly #isNamed: boolean
  readonly #headers: HeaderFigures
  #nova: JsonObject | null = null
  #metrics: JsonObject | null = null
  /** Nova's metadata or the metrics, the last words of a stream, have come. */
  #isEnded = false
  #hasFault = false

  constructor(request: RequestView, response: ResponseView) {
    this.#isNamed = findBedrockModel(request.path).name !== null
    this.#headers = readHeaders(response)
  }

  // The vendor's name omits the region, which affects the price: used only if the path hides it.
  get model(): string | null {
    return this.#isNamed ? null : this.#vendor.model
  }

  get isFinished(): boolean {
    return this.#vendor.isFinished || this.#isEnded
  }

  get isMeasured(): boolean {
    return this.#vendor.isMeasured || this.#nova !== null || this.#metrics !== null
  }

  read(document: JsonObject, event: string | null): void {
    this.#hasFault ||= event === FAULT
    this.#vendor.read(document, null)
    const ending = toObject(toObject(document[NOVA_END])?.['usage'])
    this.#nova = toNovaUsage(document['usage']) ?? toNovaUsage(ending) ?? this.#nova
    this.#metrics = toObject(document[METRICS]) ?? this.#metrics
    this.#isEnded ||= ending !== null || METRICS in document
  }

  end(): ShapeReading {
    const said = this.#vendor.end()
    const { tier, latency } = this.#headers
    const isOutputOpen = said.isOutputOpen === true
    // Bedrock's last word goes before a start without an end.
    const measured =
      isOutputOpen && this.#metrics === null ? null : toBedrockTokens(this.#toFigures())
    return {
      ...said,
      isPartial: said.isPartial === true && this.#metrics === null,
      isOutputOpen: isOutputOpen && measured === null,
      tokens: (isOutputOpen ? measured : null) ?? said.tokens ?? this.#readNova(measured),
      serviceTier: toBedrockTier(tier ?? said.serviceTier ?? null, latency),
      hasError: said.hasError || this.#hasFault,
    }
  }

  /** A guardrail that changes the answer leaves the output out of Nova's usage. */
  #readNova(measured: TokenCounts | null): TokenCounts | null {
    const nova = this.#nova
    const isCut = nova !== null && toFigure(nova['outputTokens']) === null && measured !== null
    return nova === null || isCut ? measured : toBedrockTokens(readBedrockFigures(nova))
  }

  #toFigures(): BedrockFigures {
    const { figures } = this.#headers
    const read = (metric: string): number | null => toFigure(this.#metrics?.[metric])
    return {
      input: read('inputTokenCount') ?? figures.input,
      output: read('outputTokenCount') ?? figures.output,
      cacheRead: read('cacheReadInputTokenCount') ?? figures.cacheRead,
      cacheWrite: read('cacheWriteInputTokenCount') ?? figures.cacheWrite,
    }
  }
}

interface HeaderFigures {
  readonly tier: string | null
  readonly latency: string | null
  readonly figures: BedrockFigures
}

function readHeaders(response: ResponseView): HeaderFigures {
  const read = (name: string): string | null => response.header(`x-amzn-bedrock-${name}`)
  return {
    tier: read('service-tier'),
    latency: read('performanceconfig-latency'),
    figures: {
      input: toHeaderCount(read('input-token-count')),
      output: toHeaderCount(read('output-token-count')),
      cacheRead: toHeaderCount(read('cache-read-input-token-count')),
      cacheWrite: toHeaderCount(read('cache-write-input-token-count')),
    },
  }
}

/** Null for other vendors', whose members have other names. */
function toNovaUsage(value: unknown): JsonObject | null {
  const usage = toObject(value)
  return usage !== null && 'inputTokens' in usage ? usage : null
}

/** Every chunk is read, since the vendor's part is in base64. */
const MESSAGES = /"bytes"|exception|:error-code/

/** A message is `{"bytes": base64, "p": padding}`: the vendor's events are unpacked. */
function createPackedDocuments(options: BodyDocumentsOptions): BodyDocuments {
  let { needles } = options
  let isMalformed = false
  const messages = createEventStreamDocuments({
    contentType: options.contentType,
    shape: options.shape,
    needles: MESSAGES,
    onDocument(message, event) {
      const packed = message['bytes']
      if (typeof packed !== 'string') return options.onDocument(message, event)
      const bytes = Buffer.from(packed, 'base64')
      const passing = bytes.toString('latin1')
      options.onPassing?.(passing)
      if (!needles.test(passing)) return
      const document = toObject(parseJson(bytes.toString()))
      if (document === null) isMalformed = true
      else options.onDocument(document, null)
    },
  })
  return {
    feed: (bytes) => messages.feed(bytes),
    end(isWhole) {
      const end = messages.end(isWhole)
      return { ...end, isMalformed: end.isMalformed || isMalformed }
    },
    setNeedles(others) {
      needles = others
    },
  }
}

function toHeaderCount(value: string | null): number | null {
  if (value === null) return null
  return /^\d{1,15}$/.test(value) ? Number(value) : NaN
}
