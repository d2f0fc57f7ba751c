// Calls that no operation is declared for. What their answer reports is recorded, in whichever of
// the known shapes it comes. Must stay true: a stored object that is only looked at, or cancelled,
// is not counted again, and what is no JSON is not searched.

import type { JsonShape } from '../../wire/json/json-members.ts'
import { hiddenNames } from '../requested-models/model-names.ts'
import type { Operation, RequestView, ResponseView } from '../provider.ts'
import { AnthropicUsage } from './anthropic/anthropic-usage.ts'
import { readBedrockFigures, toBedrockTokens } from './bedrock/bedrock-figures.ts'
import { createBodyModelReader } from './body-model.ts'
import { toCohereFigures } from './cohere/cohere-usage.ts'
import { readDocuments, SILENT } from './document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from './document-reader.ts'
import { AiSdkUsage } from './gateway/ai-sdk-usage.ts'
import { GeminiUsage } from './gemini/gemini-usage.ts'
import type { JsonObject } from './json-leaves.ts'
import { toName, toObject } from './json-leaves.ts'
import { OpenaiUsage } from './openai/openai-usage.ts'
import type { ShapeAddition } from './shape-addition.ts'

const ANSWER: JsonShape = {
  model: true,
  modelVersion: true,
  service_tier: true,
  usage: true,
  usageMetadata: true,
  meta: { billed_units: true, tokens: true },
}
/** What wraps an answer, or the part of it that an event has. */
const WRAPPERS = ['response', 'message', 'delta']

const UNKNOWN: DocumentShape = {
  needles: ['okens"', 'usage', 'billed_units'],
  modelNeedles: ['"model"'],
  framing: 'lines',
  members: { ...ANSWER, ...Object.fromEntries(WRAPPERS.map((name) => [name, ANSWER])) },
  createReader: () => new UnknownReader(),
}

const READABLE = /json|event-stream|^text\/plain/i
const LOOKS = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
const CANCELLED = /[/:]cancel$/

/** `addition` is what the provider's known answers report beyond their shapes, such as a cost. */
export function unknownCalls(addition: ShapeAddition | null = null): Operation {
  const createReader = readDocuments(UNKNOWN, addition)
  return {
    name: 'none',
    matches: () => false,
    createModelReader: (request) =>
      /json/i.test(request.header('content-type') ?? '') ? createBodyModelReader() : null,
    createNamesReader: hiddenNames('nothing is known of such calls'),
    createUsageReader: (request, response) =>
      isAnswer(request, response) ? createReader(request, response) : SILENT,
  }
}

function isAnswer({ method, path }: RequestView, response: ResponseView): boolean {
  if (LOOKS.has(method) || CANCELLED.test(path)) return false
  return READABLE.test(response.header('content-type') ?? 'json')
}

type Found = Omit<ShapeReading, 'hasError'>

/** A usage object of one shape; a later one replaces its figures. */
interface ShapedUsage {
  read(usage: JsonObject): void
  end(model: string | null): Found
}

class UnknownReader implements DocumentReader {
  model: string | null = null
  #serviceTier: string | null = null
  #usage: ShapedUsage | null = null

  read(document: JsonObject): void {
    for (const part of [document, ...WRAPPERS.map((name) => toObject(document[name]))]) {
      if (part === null) continue
      this.model = toName(part['model']) ?? toName(part['modelVersion']) ?? this.model
      this.#serviceTier = toName(part['service_tier']) ?? this.#serviceTier
      const usage = toObject(part['usage']) ?? toObject(part['usageMetadata']) ?? metaOf(part)
      if (usage === null) continue
      this.#usage ??= shapeOf(usage)
      this.#usage.read(usage)
    }
  }

  end(): ShapeReading {
    const found = this.#usage?.end(this.model) ?? { tokens: null }
    return { ...found, serviceTier: found.serviceTier ?? this.#serviceTier, hasError: false }
  }
}

/** Many answers have a `meta`; only its billed units are usage. */
function metaOf(part: JsonObject): JsonObject | null {
  const meta = toObject(part['meta'])
  return toObject(meta?.['billed_units']) === null ? null : meta
}

/** Members tell the shapes apart: a figure of the same name has cached tokens in it or has not. */
function shapeOf(usage: JsonObject): ShapedUsage {
  const has = (...names: readonly string[]): boolean => names.some((name) => name in usage)
  if (has('promptTokenCount', 'totalTokenCount')) return withTokens(new GeminiUsage())
  if (has('billed_units')) return lastOf(readCohere)
  if (has('inputTokens', 'outputTokens')) {
    const isAmazon = typeof usage['inputTokens'] === 'number' && has('totalTokens')
    const isNested = has('cachedInputTokens', 'reasoningTokens')
    return isAmazon && !isNested ? lastOf(readBedrock) : withTokens(new AiSdkUsage())
  }
  const isAnthropic = has('cache_read_input_tokens', 'cache_creation_input_tokens')
  if (isAnthropic && !has('prompt_tokens')) return new MessagesUsage()
  return new CompatibleUsage()
}

function withTokens(usage: GeminiUsage | AiSdkUsage): ShapedUsage {
  const serviceTier = (): string | null => (usage instanceof GeminiUsage ? usage.serviceTier : null)
  return {
    read: (value) => usage.read(value),
    end: () => ({ tokens: usage.tokens(), serviceTier: serviceTier() }),
  }
}

function lastOf(toFound: (usage: JsonObject) => Found): ShapedUsage {
  let last: JsonObject = {}
  return {
    read(usage) {
      last = usage
    },
    end: () => toFound(last),
  }
}

function readCohere(usage: JsonObject): Found {
  const { tokens, toolCalls } = toCohereFigures(usage)
  return {
    tokens,
    toolCalls,
    isWithoutTokens: tokens === null && Object.keys(toolCalls).length > 0,
  }
}

function readBedrock(usage: JsonObject): Found {
  return { tokens: toBedrockTokens(readBedrockFigures(usage)) }
}

class MessagesUsage implements ShapedUsage {
  readonly #usage = new AnthropicUsage()

  read(usage: JsonObject): void {
    this.#usage.read(usage)
  }

  end(model: string | null): Found {
    return this.#usage.report(model)
  }
}

class CompatibleUsage implements ShapedUsage {
  readonly #usage = new OpenaiUsage()
  #total: unknown = null

  read(usage: JsonObject): void {
    this.#usage.read(usage)
    this.#total = usage['total_tokens'] ?? this.#total
  }

  /** A model's total alone is all input, as of embeddings; without a model it may be a report's. */
  end(model: string | null): Found {
    if (this.#usage.tokens() === null && model !== null) {
      this.#usage.read({ input_tokens: this.#total })
    }
    return { tokens: this.#usage.tokens() }
  }
}
