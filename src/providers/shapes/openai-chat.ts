// OpenAI's chat completions, as one JSON object or as a stream of events: which model was asked for
// and which ran, what was used, whether an error came inside. Must stay true: usage that was not
// reported is never zero, and a broken body never passes for a whole reading.

import type { ReportedBilling } from '../../core/usage-event.ts'
import { createJsonMembers } from '../../wire/json-members.ts'
import type { JsonMembers, JsonShape } from '../../wire/json-members.ts'
import { toBuffer } from '../../wire/growing-bytes.ts'
import type { ModelReader, Operation, Reading, UsageReader } from '../provider.ts'
import { createBodyDocuments } from './body-documents.ts'
import type { BodyEnd } from './body-documents.ts'
import type { JsonObject } from './json-leaves.ts'
import { toList, toName, toObject } from './json-leaves.ts'
import { OpenaiUsage } from './openai-usage.ts'
import type { AdditionReader, ShapeAddition } from './shape-addition.ts'

const MODEL_BYTES_MAX = 4096

/** Not `"usage"`: with `include_usage` every chunk of a stream has it, as null, and one has figures. */
const NEEDLES = ['_tokens"', 'error', '[DONE]']
const MODEL_NEEDLE = '"model"'
/** Gateways report the failure of one choice inside the choice. */
const CHOICE: JsonShape = { error: true, finish_reason: true }
const MEMBERS: JsonShape = { model: true, usage: true, service_tier: true, error: true }

const NOTHING: Reading = {
  kind: 'missing',
  model: null,
  tokens: null,
  toolCalls: {},
  serviceTier: null,
  billing: null,
  hasError: false,
}

export interface OpenaiChatOptions {
  readonly addition?: ShapeAddition
}

export function openaiChat(path: string, options: OpenaiChatOptions = {}): Operation {
  const addition = options.addition ?? null
  const needles = [...NEEDLES, ...(addition?.needles ?? [])]
  const shape = { ...MEMBERS, ...addition?.members, choices: [toChoice(addition)] as const }
  const plan: ReadingPlan = {
    addition,
    shape,
    needles: toPattern(needles),
    firstNeedles: toPattern([MODEL_NEEDLE, ...needles]),
  }
  return {
    name: 'openai-chat',
    matches: (request) => request.method === 'POST' && request.path === path,
    createModelReader: () => new ChatModelReader(),
    createUsageReader: (_request, response) =>
      response.status >= 400 ? SILENT : new ChatReader(plan, response.header('content-type')),
  }
}

function toChoice(addition: ShapeAddition | null): JsonShape {
  const added = addition?.members['choices']
  return { ...CHOICE, ...(Array.isArray(added) ? (added[0] as JsonShape) : {}) }
}

interface ReadingPlan {
  readonly addition: ShapeAddition | null
  readonly shape: JsonShape
  readonly needles: RegExp
  /** In force until the model is known: every chunk names it, and one is enough. */
  readonly firstNeedles: RegExp
}

function toPattern(needles: readonly string[]): RegExp {
  return new RegExp(needles.map((needle) => RegExp.escape(needle)).join('|'))
}

/** An error's body is not charged, even where it names a model or a generation. */
const SILENT: UsageReader = { feed() {}, end: () => NOTHING }

const MODEL: JsonShape = { model: true }

/** Most requests name the model before anything else, in plain letters. */
const MODEL_FIRST = /^\s*\{\s*"model"\s*:\s*"([\x20\x21\x23-\x5b\x5d-\x7e]{1,256})"/
const MODEL_FIRST_BYTES_MAX = 320

/** The first `model` of the body decides, so that a large request need not be read to its end. */
class ChatModelReader implements ModelReader {
  #model: string | null = null
  #members: JsonMembers | null = null

  feed(bytes: Uint8Array): boolean {
    if (this.#members === null) {
      const start = toBuffer(bytes).toString('latin1', 0, MODEL_FIRST_BYTES_MAX)
      this.#model = MODEL_FIRST.exec(start)?.[1] ?? null
      if (this.#model !== null) return true
      this.#members = createJsonMembers({
        shape: MODEL,
        valueBytesMax: MODEL_BYTES_MAX,
        isFirstEnough: true,
      })
    }
    this.#members.feed(bytes)
    return this.#members.isDone
  }

  end(): string | null {
    return this.#members === null ? this.#model : toName(this.#members.end().value['model'])
  }
}

class ChatReader implements UsageReader {
  readonly #documents
  readonly #usage = new OpenaiUsage()
  readonly #addition: AdditionReader | null
  #model: string | null = null
  #serviceTier: string | null = null
  #hasError = false

  constructor(plan: ReadingPlan, contentType: string | null) {
    this.#addition = plan.addition?.createReader() ?? null
    this.#documents = createBodyDocuments({
      contentType,
      shape: plan.shape,
      needles: plan.firstNeedles,
      onDocument: (document, event) => {
        this.#read(document, event)
        if (this.#model !== null) this.#documents.setNeedles(plan.needles)
      },
    })
  }

  feed(bytes: Uint8Array): void {
    this.#documents.feed(bytes)
  }

  end(isWhole: boolean): Reading {
    const end = this.#documents.end(isWhole)
    const tokens = this.#usage.tokens()
    const added = this.#addition?.end() ?? { model: null, billing: null, toolCalls: {} }
    const reading: Reading = {
      kind: toKind(end, { isWhole, hasTokens: tokens !== null, billing: added.billing }),
      model: added.model ?? this.#model,
      tokens,
      toolCalls: added.toolCalls,
      serviceTier: this.#serviceTier,
      billing: added.billing,
      hasError: this.#hasError,
    }
    return end.skippedEvents ? { ...reading, skippedEvents: end.skippedEvents } : reading
  }

  #read(document: JsonObject, event: string | null): void {
    this.#model = toName(document['model']) ?? this.#model
    this.#serviceTier = toName(document['service_tier']) ?? this.#serviceTier
    this.#usage.read(document['usage'])
    this.#hasError ||= event === 'error' || isError(document)
    this.#addition?.read(document)
  }
}

function isError(document: JsonObject): boolean {
  const choice = toObject(toList(document['choices'])[0])
  const error = document['error'] ?? choice?.['error'] ?? null
  return error !== null || choice?.['finish_reason'] === 'error'
}

function hasMoney(billing: ReportedBilling | null): boolean {
  return billing !== null && (billing.cost !== null || billing.marketCost !== null)
}

interface Found {
  readonly isWhole: boolean
  readonly hasTokens: boolean
  readonly billing: ReportedBilling | null
}

function toKind(end: BodyEnd, { isWhole, hasTokens, billing }: Found): Reading['kind'] {
  if (hasTokens) return end.isComplete ? 'reported' : 'partial'
  // Money without tokens is a part of the answer, even at the body's end.
  if (hasMoney(billing)) return 'partial'
  return end.isMalformed && isWhole ? 'malformed' : 'missing'
}
