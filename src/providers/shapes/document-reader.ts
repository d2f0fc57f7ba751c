// What all shapes of JSON have in common: documents come out of a body, a reader of the shape takes
// them in, an addition reads what one provider says beyond it, and the reading is put together. Must
// stay true: usage that was not reported is never zero, and a broken body never passes for a whole
// reading.

import type { TokenCounts } from '../../core/token-counts.ts'
import type { ReportedBilling, UsageShare } from '../../core/usage-event.ts'
import type { JsonShape } from '../../wire/json-members.ts'
import type { Operation, Reading, RequestView, ResponseView, UsageReader } from '../provider.ts'
import { createBodyDocuments } from './body-documents.ts'
import type { BodyDocuments, BodyEnd } from './body-documents.ts'
import type { JsonObject } from './json-leaves.ts'
import type { AdditionReader, ShapeAddition } from './shape-addition.ts'

export interface DocumentShape {
  /** Texts that mark an event of a stream as worth reading. */
  readonly needles: readonly string[]
  /** In force beside them until the model is known: every event may name it, and one is enough. */
  readonly modelNeedles?: readonly string[]
  /** The members that are kept of a body too large, or too damaged, to be parsed as one. */
  readonly members: JsonShape
  createReader(request: RequestView, response: ResponseView): DocumentReader
}

/** Takes in one call's documents. */
export interface DocumentReader {
  read(document: JsonObject, event: string | null): void
  /** Null until a document has named it. */
  readonly model: string | null
  /** The answer itself said that it is complete: what breaks off behind that is no loss. */
  readonly isFinished?: boolean
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
  /** What was used has no tokens, and is told in full by `toolCalls`. */
  readonly isWithoutTokens?: boolean
}

export const NOTHING: Reading = {
  kind: 'missing',
  model: null,
  tokens: null,
  toolCalls: {},
  serviceTier: null,
  billing: null,
  hasError: false,
}

/** An error's body is not charged, even where it names a model or a generation. */
export const SILENT: UsageReader = { feed() {}, end: () => NOTHING }

/** How an operation of that shape reads its responses. */
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
}

function toPattern(needles: readonly string[]): RegExp {
  return new RegExp(needles.map((needle) => RegExp.escape(needle)).join('|'))
}

/** Both where both look further inside; whole where either wants it whole. */
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
  if (isList(one) && isList(other)) return [mergeMembers(one[0], other[0])]
  return isList(one) || isList(other) ? true : mergeMembers(one, other)
}

function isList(wanted: JsonShape | readonly [JsonShape]): wanted is readonly [JsonShape] {
  return Array.isArray(wanted)
}

class DocumentsReader implements UsageReader {
  readonly #documents: BodyDocuments
  readonly #reader: DocumentReader
  readonly #addition: AdditionReader | null

  constructor(plan: ReadingPlan, request: RequestView, response: ResponseView) {
    const reader = plan.shape.createReader(request, response)
    const addition = plan.addition?.createReader() ?? null
    this.#reader = reader
    this.#addition = addition
    this.#documents = createBodyDocuments({
      contentType: response.header('content-type'),
      shape: plan.members,
      needles: plan.firstNeedles,
      onDocument: (document, event) => {
        reader.read(document, event)
        addition?.read(document)
        if (reader.model !== null) this.#documents.setNeedles(plan.needles)
      },
    })
  }

  feed(bytes: Uint8Array): void {
    this.#documents.feed(bytes)
  }

  end(isWhole: boolean): Reading {
    const end = this.#documents.end(isWhole)
    const found = this.#reader.end()
    const added = this.#addition?.end() ?? null
    const billing = added?.billing ?? found.billing ?? null
    const { tokens, shares, countedAs, isCharged } = found
    const reading: Reading = {
      kind: toKind({ end, isWhole, isFinished: this.#reader.isFinished === true, found, billing }),
      model: added?.model ?? this.#reader.model,
      tokens,
      toolCalls: { ...found.toolCalls, ...added?.toolCalls },
      serviceTier: found.serviceTier ?? null,
      billing,
      hasError: found.hasError,
    }
    const { skippedEvents } = end
    if (!skippedEvents && !shares && !countedAs && isCharged === undefined) return reading
    return {
      ...reading,
      ...(skippedEvents ? { skippedEvents } : {}),
      ...(shares ? { shares } : {}),
      ...(countedAs ? { countedAs } : {}),
      ...(isCharged === undefined ? {} : { isCharged }),
    }
  }
}

function hasMoney(billing: ReportedBilling | null): boolean {
  return billing !== null && (billing.cost !== null || billing.marketCost !== null)
}

interface Found {
  readonly end: BodyEnd
  readonly isWhole: boolean
  readonly isFinished: boolean
  readonly found: ShapeReading
  readonly billing: ReportedBilling | null
}

function toKind({ end, isWhole, isFinished, found, billing }: Found): Reading['kind'] {
  const isMeasured = found.tokens !== null || found.isWithoutTokens === true
  if (isMeasured) return end.isComplete || isFinished ? 'reported' : 'partial'
  // Money without tokens is a part of the answer, even at the body's end.
  if (hasMoney(billing)) return 'partial'
  return end.isMalformed && isWhole ? 'malformed' : 'missing'
}
