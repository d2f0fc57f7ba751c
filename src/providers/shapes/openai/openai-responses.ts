// OpenAI's Responses, as one object, as a stream, or as a stored object that is read again. Must
// stay true: one made in the background is counted once, where its figures are read first; all
// others are charged where they are made, whatever their ids, and not where they are read.

import type { JsonShape } from '../../../wire/json/json-members.ts'
import { noNames } from '../../requested-models/model-names.ts'
import type { Operation } from '../../provider.ts'
import { readDocuments } from '../document-reader.ts'
import type { DocumentReader, DocumentShape, ShapeReading } from '../document-reader.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { matchPath, modelOperation, patternUnder } from '../model-operation.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'
import { RESPONSE_USAGE, readResponseUsage } from './openai-response-usage.ts'
import type { ResponseUsage } from './openai-response-usage.ts'
import { ToolCalls } from './openai-tool-calls.ts'

/**
 * created    the call that makes the response
 * stored     a later look at one that was made in the background, or its cancelling
 * compacted  a conversation made shorter: an answer of the same kind, kept nowhere
 */
type Occasion = 'created' | 'stored' | 'compacted'

const RESPONSE: JsonShape = {
  ...RESPONSE_USAGE,
  id: true,
  status: true,
  background: true,
  model: true,
  service_tier: true,
  error: true,
}

function toShape(occasion: Occasion): DocumentShape {
  return {
    // Every event states its kind; few of them end a stream, and `_call"` is a tool's item.
    needles: [...SETTLED_EVENTS, '_call"', 'error', '[DONE]'],
    modelNeedles: ['"model"'],
    members: { ...RESPONSE, type: true, response: RESPONSE },
    // Not `"text"`, which repeats all of it at the end.
    ...(occasion === 'stored' ? {} : { texts: ['delta'] }),
    createReader: () => new ResponsesReader(occasion),
  }
}

export function openaiResponses(path: PathPattern, options: ModelOptions = {}): Operation {
  return modelOperation({ ...options, name: 'openai-responses', path, answer: toShape('created') })
}

/** `GET {base}/responses/{id}` and `POST {base}/responses/{id}/cancel`. */
export function openaiStoredResponse(base: PathPattern): Operation {
  const isRead = matchPath('GET', patternUnder(base, '/responses/[^/]+'))
  const isCancelled = matchPath('POST', patternUnder(base, '/responses/[^/]+/cancel'))
  return {
    name: 'openai-stored-response',
    matches: (request) => isRead(request) || isCancelled(request),
    createModelReader: () => null,
    createNamesReader: noNames,
    createUsageReader: readDocuments(toShape('stored')),
  }
}

export function openaiCompaction(path: PathPattern, options: ModelOptions = {}): Operation {
  const answer = toShape('compacted')
  return modelOperation({ ...options, name: 'openai-compaction', path, answer })
}

const SETTLED_EVENTS = [
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
]
const UNSETTLED = ['queued', 'in_progress']
const ITEM_DONE = 'response.output_item.done'

class ResponsesReader implements DocumentReader {
  readonly #occasion: Occasion
  readonly #seen = new ToolCalls()
  model: string | null = null
  isFinished = false
  #id: string | null = null
  #isBackground = false
  #isQueued = false
  #serviceTier: string | null = null
  #hasError = false
  #used: ResponseUsage | null = null

  constructor(occasion: Occasion) {
    this.#occasion = occasion
  }

  read(document: JsonObject, event: string | null): void {
    // Some servers leave out the event's name, others the type; either will do.
    const type = toName(document['type']) ?? event
    this.#hasError ||= type === 'error' || type === 'response.failed'
    if (type === ITEM_DONE) this.#seen.add(document['item'])
    const response = toObject(document['response']) ?? (type === null ? document : null)
    if (response !== null) this.#readResponse(response, type)
  }

  end(): ShapeReading {
    const hasError = this.#hasError
    const used = this.#used ?? { tokens: null, toolCalls: this.#seen.counts() }
    // If reported, figures of an answer that is not charged would be added to the sums.
    if (!this.#isCharged(used)) return { tokens: null, hasError, isCharged: false }
    const serviceTier = this.#serviceTier
    // Servers that keep no responses may give all of them the same id.
    const isReadAgain = this.#occasion !== 'compacted' && this.#isBackground
    if (!isReadAgain || this.#id === null) return { ...used, serviceTier, hasError }
    return { ...used, serviceTier, hasError, countedAs: `response:${this.#id}` }
  }

  #readResponse(response: JsonObject, type: string | null): void {
    this.model = toName(response['model']) ?? this.model
    this.#id = toName(response['id']) ?? this.#id
    const { background } = response
    if (typeof background === 'boolean') this.#isBackground = background
    const status = toName(response['status'])
    this.#hasError ||= status === 'failed' || (response['error'] ?? null) !== null
    const isSettled = type === null ? !UNSETTLED.includes(status ?? '') : isSettledEvent(type)
    this.#isQueued = type === null && !isSettled
    // Before the end, figures are null or placeholder zeros; a bare error behind it is no response.
    if (!isSettled || (type === null && this.#used !== null)) return
    this.#serviceTier = toName(response['service_tier']) ?? this.#serviceTier
    this.#used = readResponseUsage(response, this.#seen.counts())
    // A stream's last event; a lone object may have been cut behind its figures.
    this.isFinished = type !== null
  }

  #isCharged(used: ResponseUsage): boolean {
    const isUnfinished = this.#used === null
    switch (this.#occasion) {
      case 'created':
        // In the background it goes on without the caller, and is counted when it is read.
        return !this.#isQueued && !(this.#isBackground && isUnfinished)
      case 'stored':
        // One that does not say so was made in the foreground, and charged there.
        return !isUnfinished && this.#isBackground && used.tokens !== null
      case 'compacted':
        return true
    }
  }
}

function isSettledEvent(type: string): boolean {
  return SETTLED_EVENTS.includes(type)
}
