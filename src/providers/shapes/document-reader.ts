// What all JSON shapes share: a shape's reader and a provider's addition read the documents. Must
// stay true: unreported usage is never zero, and a broken body is never a whole reading.

import { addTokenCounts, createTokenCounts, totalTokens } from '../../core/token-counts.ts'
import type { TokenCounts } from '../../core/token-counts.ts'
import type { ReportedBilling, UsageShare } from '../../core/usage-event.ts'
import type { JsonListShape, JsonShape } from '../../wire/json/json-members.ts'
import { NO_READING } from '../provider.ts'
import type { Operation, Reading, RequestView, ResponseView, UsageReader } from '../provider.ts'
import { createBodyDocuments } from './body-documents.ts'
import type { BodyDocuments, BodyDocumentsOptions, BodyEnd, Framing } from './body-documents.ts'
import type { JsonObject } from './json-leaves.ts'
import { findErrorCode } from './provider-error.ts'
import { ProducedText, toTextPlan } from './produced-text.ts'
import type { TextPlan } from './produced-text.ts'
import { withReadableCounts } from './readable-counts.ts'
import type { ReadableCounts } from './readable-counts.ts'
import type { AdditionReader, ShapeAddition } from './shape-addition.ts'

export interface DocumentShape {
  /** Texts that mark an event of a stream as worth reading. */
  readonly needles: readonly string[]
  /** Also used until the model is known: every event may name it, and one is enough. */
  readonly modelNeedles?: readonly string[]
  /** Members kept of a body too large, or too damaged, to parse at once. */
  readonly members: JsonShape
  /** Members with text the model produced: counted where nothing reports its tokens. */
  readonly texts?: readonly string[]
  /** What a tool call costs beside its name and its arguments. */
  readonly callTokens?: number
  /** How several documents come if not as events; left out where they do not. */
  readonly framing?: Framing
  createReader(request: RequestView, response: ResponseView): DocumentReader
  /** Left out for JSON or server-sent events. */
  readonly createDocuments?: (options: BodyDocumentsOptions) => BodyDocuments
}

export interface DocumentReader {
  read(document: JsonObject, event: string | null): void
  /** Null until a document has named it. */
  readonly model: string | null
  /** The answer itself said that it is complete: what breaks off behind it is no loss. */
  readonly isFinished?: boolean
  /** The tokens are known: the text need not be kept. */
  readonly isMeasured?: boolean
  end(): ShapeReading
}

export interface ShapeReading {
  readonly tokens: TokenCounts | null
  readonly hasError: boolean
  readonly toolCalls?: Readonly<Record<string, number>>
  readonly serviceTier?: string | null
  readonly billing?: ReportedBilling | null
  readonly shares?: readonly UsageShare[]
  readonly countedAs?: string
  readonly isCharged?: boolean
  /** It used no tokens, and `toolCalls` reports all of it. */
  readonly isWithoutTokens?: boolean
  /** Something is missing, or the answer stopped before its own final word. */
  readonly isPartial?: boolean
  /** The input is reported, of the output only its beginning: that is counted from the text. */
  readonly isOutputOpen?: boolean
}

/** An error's body is not charged, even if it names a model or a generation. */
export const SILENT: UsageReader = { feed() {}, end: () => NO_READING }

export function readDocuments(
  shape: DocumentShape,
  addition: ShapeAddition | null = null,
): Operation['createUsageReader'] {
  const needles = [...shape.needles, ...(addition?.needles ?? [])]
  const plan: ReadingPlan = {
    shape,
    addition,
    members: mergeMembers(shape.members, addition?.members ?? {}),
    needles: toPattern(needles),
    firstNeedles: toPattern([...(shape.modelNeedles ?? []), ...needles]),
    texts: shape.texts === undefined ? null : toTextPlan(shape.texts, shape.callTokens),
  }
  return (request, response) =>
    response.status >= 400 ? SILENT : new DocumentsReader(plan, request, response)
}

interface ReadingPlan {
  readonly shape: DocumentShape
  readonly addition: ShapeAddition | null
  readonly members: JsonShape
  readonly needles: RegExp
  readonly firstNeedles: RegExp
  readonly texts: TextPlan | null
}

function toPattern(needles: readonly string[]): RegExp {
  return new RegExp(needles.map((needle) => RegExp.escape(needle)).join('|'))
}

/** Merges members that both look into; whole where either wants it whole. */
function mergeMembers(one: JsonShape, other: JsonShape): JsonShape {
  const merged: Record<string, JsonShape[string]> = { ...one }
  for (const [name, wanted] of Object.entries(other)) {
    merged[name] = mergeWanted(one[name], wanted)
  }
  return merged
}

function mergeWanted(
  one: JsonShape[string] | undefined,
  other: JsonShape[string],
): JsonShape[string] {
  if (one === undefined) return other
  if (one === true || other === true) return true
  if (isList(one) && isList(other)) {
    return [mergeMembers(one[0], other[0]), Math.max(one[1] ?? 1, other[1] ?? 1)]
  }
  return isList(one) || isList(other) ? true : mergeMembers(one, other)
}

function isList(wanted: JsonShape | JsonListShape): wanted is JsonListShape {
  return Array.isArray(wanted)
}

class DocumentsReader implements UsageReader {
  readonly #documents: BodyDocuments
  readonly #reader: DocumentReader
  readonly #addition: AdditionReader | null
  readonly #text: ProducedText | null
  /** Of a stream; a lone object has none. */
  #events = 0
  #errorCode: string | null = null

  constructor(plan: ReadingPlan, request: RequestView, response: ResponseView) {
    const reader = plan.shape.createReader(request, response)
    const addition = plan.addition?.createReader() ?? null
    this.#reader = reader
    this.#addition = addition
    const text = plan.texts === null ? null : new ProducedText(plan.texts)
    this.#text = text
    const createDocuments = plan.shape.createDocuments ?? createBodyDocuments
    this.#documents = createDocuments({
      contentType: response.header('content-type'),
      framing: plan.shape.framing,
      shape: plan.members,
      needles: plan.firstNeedles,
      onDocument: (document, event) => {
        reader.read(plan.addition?.translate?.(document) ?? document, event)
        addition?.read(document)
        this.#errorCode ??= findErrorCode(document)
        if (reader.isMeasured === true) text?.drop()
        else text?.read(document)
        if (reader.model !== null) this.#documents.setNeedles(plan.needles)
      },
      onPassing: (event) => {
        this.#events += 1
        text?.passing(event)
      },
    })
  }

  get keptTextBytes(): number | undefined {
    return this.#text?.bytes
  }

  dropText(): void {
    this.#text?.drop()
  }

  feed(bytes: Uint8Array): void {
    this.#documents.feed(bytes)
  }

  end(isWhole: boolean): Reading {
    const end = this.#documents.end(isWhole)
    const added = this.#addition?.end() ?? null
    const isSaid = end.isComplete || this.#reader.isFinished === true
    const stated = withShares(this.#reader.end(), added?.shares)
    const found = withReadableCounts(isSaid ? stated : withoutPlaceholder(stated))
    const billing = added?.billing ?? found.billing ?? null
    const { tokens, shares, countedAs } = found
    const isCharged = this.#isOnlyError(found, billing) ? false : found.isCharged
    const isComplete = isSaid && found.isPartial !== true
    const reading: Reading = {
      kind: toKind({ end, isWhole, isComplete, found, billing }),
      model: added?.model ?? this.#reader.model,
      tokens,
      toolCalls: { ...found.toolCalls, ...added?.toolCalls },
      serviceTier: found.serviceTier ?? null,
      billing,
      hasError: found.hasError,
    }
    const { skippedEvents } = end
    const text = isAwaitingEstimate(found) ? this.#text?.end() : undefined
    const isFinished = !isWhole && isComplete
    const providerError = found.hasError ? this.#errorCode : null
    const isPlain = !skippedEvents && !shares && !countedAs && isCharged === undefined
    if (isPlain && !text && !isFinished && !providerError) return reading
    return {
      ...reading,
      ...(providerError ? { providerError } : {}),
      ...(isFinished ? { isFinished } : {}),
      ...(skippedEvents ? { skippedEvents } : {}),
      ...(shares ? { shares } : {}),
      ...(countedAs ? { countedAs } : {}),
      ...(isCharged === undefined ? {} : { isCharged }),
      ...(text ? { text } : {}),
    }
  }

  /** An error in the place of an answer costs nothing; one behind its beginning may. */
  #isOnlyError(found: ReadableCounts<ShapeReading>, billing: ReportedBilling | null): boolean {
    if (!found.hasError || this.#events > 1 || hasMoney(billing)) return false
    const { tokens, toolCalls = {}, isUnreadable } = found
    const isUsed = tokens !== null || isUnreadable === true || Object.keys(toolCalls).length > 0
    return !isUsed && (this.#text?.end() ?? '') === ''
  }
}

function withShares(found: ShapeReading, shares: ShapeReading['shares']): ShapeReading {
  if (shares === undefined) return found
  const counts = shares.map((share) => share.tokens)
  return { ...found, shares, tokens: counts.reduce(addTokenCounts, createTokenCounts({})) }
}

/** Zeros before the answer's final word stand for figures that never came. */
function withoutPlaceholder(found: ShapeReading): ShapeReading {
  const isPlaceholder = found.tokens !== null && totalTokens(found.tokens) === 0
  return isPlaceholder ? { ...found, tokens: null } : found
}

function isAwaitingEstimate(found: ReadableCounts<ShapeReading>): boolean {
  const { tokens, isWithoutTokens, isCharged, isUnreadable, isOutputOpen, shares } = found
  if (isUnreadable === true || isWithoutTokens === true || isCharged === false) return false
  return tokens === null || (isOutputOpen === true && shares === undefined)
}

export function hasMoney(billing: ReportedBilling | null): boolean {
  return billing !== null && (billing.cost !== null || billing.marketCost !== null)
}

interface Found {
  readonly end: BodyEnd
  readonly isWhole: boolean
  readonly isComplete: boolean
  readonly found: ReadableCounts<ShapeReading>
  readonly billing: ReportedBilling | null
}

function toKind({ end, isWhole, isComplete, found, billing }: Found): Reading['kind'] {
  const isMeasured = found.tokens !== null || found.isWithoutTokens === true
  if (isMeasured) return isComplete ? 'reported' : 'partial'
  // Money without tokens is partial, even at the body's end, and so is a count that is unreadable.
  if (hasMoney(billing) || found.isUnreadable === true) return 'partial'
  return end.isMalformed && isWhole ? 'malformed' : 'missing'
}
