// OpenAI's Responses on a WebSocket: many responses per connection, with the events of a stream.
// Must stay true: every response that came to its end is counted, and once.

import type { Operation, Reading, ResponseSteps } from '../../provider.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { ModelShares } from '../model-shares.ts'
import type { ModelOptions, PathPattern } from '../model-operation.ts'
import { ASK_KINDS, isAsk } from './openai-realtime.ts'
import { readResponseUsage } from './openai-response-usage.ts'
import { ToolCalls } from './openai-tool-calls.ts'
import { beginsLike, socketOperation, toSessionKind } from '../socket-operation.ts'
import type { SocketReader } from '../socket-operation.ts'

export function openaiResponsesSocket(path: PathPattern, options: ModelOptions = {}): Operation {
  return socketOperation({
    name: 'openai-responses-socket',
    path,
    addition: options.addition,
    // Without a name it runs that of an earlier response, which may come from elsewhere.
    names: { namelessKinds: ['response.steer'] },
    askWords: ASK_KINDS,
    readAsk: (document) => (isAsk(document) ? { model: toName(document['model']) } : null),
    hasErrors: true,
    createReader: (requestedModel, steps) => new ResponsesSocketReader(requestedModel, steps),
  })
}

const CONTENT = /"type"\s*:\s*"response\.[a-z_.]+\.delta"/
const ENDS = ['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled']
const ITEM_DONE = 'response.output_item.done'

class ResponsesSocketReader implements SocketReader {
  readonly #steps: ResponseSteps | null
  #shares = new ModelShares()
  #toolCalls: Record<string, number> = {}
  #model: string | null
  #seen = new ToolCalls()
  #isOpen = false
  /** A response ended well, and nothing reported its usage. */
  #isAwaitingEstimate = false
  #serviceTier: string | null = null
  #hasError = false

  constructor(requestedModel: string | null, steps: ResponseSteps | null) {
    this.#model = requestedModel
    this.#steps = steps
  }

  isContent(message: Buffer): boolean {
    return beginsLike(message, CONTENT)
  }

  read(document: JsonObject): void {
    const type = toName(document['type']) ?? ''
    const response = toObject(document['response'])
    this.#model = toName(response?.['model']) ?? this.#model
    if (type === 'response.created') this.#begin()
    else if (type === ITEM_DONE) this.#seen.add(document['item'])
    else if (ENDS.includes(type)) this.#finish(response ?? {}, type)
    // A refused request begins no response; one that broke off ends without figures.
    else if (type === 'error') this.#readError()
  }

  end(isWhole: boolean): Reading {
    return this.#toReading({ isWhole, isOpen: this.#isOpen || this.#isAwaitingEstimate })
  }

  #toReading({ isWhole, isOpen }: { isWhole: boolean; isOpen: boolean }): Reading {
    const { tokens } = this.#shares
    const shares = this.#shares.toShares(this.#model)
    return {
      ...toSessionKind({ isWhole, isOpen, isMeasured: tokens !== null }),
      model: this.#model,
      tokens,
      toolCalls: this.#toolCalls,
      serviceTier: this.#serviceTier,
      billing: null,
      hasError: this.#hasError,
      ...(shares === undefined ? {} : { shares }),
    }
  }

  /** One runs at a time: another that has not ended broke off. */
  #begin(): void {
    if (this.#isOpen) this.#tell(true)
    this.#isOpen = true
    this.#seen = new ToolCalls()
    this.#steps?.began()
  }

  #readError(): void {
    this.#hasError = true
    if (!this.#isOpen) this.#steps?.refused()
  }

  #tell(isOpen: boolean): void {
    if (this.#steps === null) return
    const reading = this.#toReading({ isWhole: true, isOpen })
    this.#shares = new ModelShares()
    this.#toolCalls = {}
    this.#serviceTier = null
    this.#isAwaitingEstimate = false
    this.#hasError = false
    this.#steps.ended(reading)
  }

  #finish(response: JsonObject, type: string): void {
    this.#isOpen = false
    // A good response after a failure means that it was survived.
    this.#hasError = type === 'response.failed'
    this.#serviceTier = toName(response['service_tier']) ?? this.#serviceTier
    const used = readResponseUsage(response, this.#seen.counts())
    this.#isAwaitingEstimate ||= used.tokens === null && type === 'response.completed'
    const ownShares = used.tokens === null ? [] : [{ model: null, tokens: used.tokens }]
    for (const { model, tokens } of used.shares ?? ownShares) {
      this.#shares.add(model ?? this.#model, tokens)
    }
    for (const [kind, count] of Object.entries(used.toolCalls)) {
      this.#toolCalls[kind] = (this.#toolCalls[kind] ?? 0) + count
    }
    this.#seen = new ToolCalls()
    this.#tell(this.#isAwaitingEstimate)
  }
}
