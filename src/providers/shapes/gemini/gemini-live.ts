// Gemini's Live sessions. Each turn is charged for its whole context, so turns are summed; within
// one, the last figures count. Must stay true: a turn is added once, even with figures behind it.

import type { Operation, Reading, ResponseSteps } from '../../provider.ts'
import { toModelName } from './gemini-path.ts'
import { GeminiUsage } from './gemini-usage.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toName, toObject } from '../json-leaves.ts'
import { ModelShares } from '../model-shares.ts'
import type { PathPattern } from '../model-operation.ts'
import { socketOperation, toSessionKind } from '../socket-operation.ts'
import type { SocketReader } from '../socket-operation.ts'

export function geminiLive(path: PathPattern): Operation {
  return socketOperation({
    name: 'gemini-live',
    path,
    names: { content: CONTENT_MEMBERS, normalise: toModelName },
    // Such sessions are opened with a token that fixes the model.
    isHidden: ({ path: asked }) => asked.endsWith('Constrained'),
    readModel: (document) => {
      const model = toName(toObject(document['setup'])?.['model'])
      return model === null ? null : toModelName(model)
    },
    // What is spoken is answered when the service finds that it has ended: that shows then.
    askWords: ['turnComplete', 'turn_complete'],
    readAsk: (document) => {
      const content = toObject(document['clientContent'] ?? document['client_content'])
      const isAsked = (content?.['turnComplete'] ?? content?.['turn_complete']) === true
      return isAsked ? { model: null } : null
    },
    createReader: (_, steps) => new LiveReader(steps),
  })
}

/** In both spellings that the service accepts. */
const CONTENT_MEMBERS = [
  'clientContent',
  'client_content',
  'realtimeInput',
  'realtime_input',
  'toolResponse',
  'tool_response',
]

const NEEDLES = ['"usageMetadata"', '"turnComplete"', '"interrupted"', '"error"']

class LiveReader implements SocketReader {
  readonly #steps: ResponseSteps | null
  #shares = new ModelShares()
  /** For the current turn, or the one just ended. */
  #usage = new GeminiUsage()
  #turn: 'none' | 'open' | 'over' | 'told' = 'none'
  /** A turn ended, and nothing reported its usage. */
  #isAwaitingEstimate = false
  #serviceTier: string | null = null
  #hasError = false

  constructor(steps: ResponseSteps | null) {
    this.#steps = steps
  }

  /** After a turn's end any message may begin the next. */
  isContent(message: Buffer): boolean {
    return this.#turn === 'open' && !NEEDLES.some((needle) => message.includes(needle))
  }

  read(document: JsonObject): void {
    const content = toObject(document['serverContent'])
    if (content !== null || document['toolCall'] !== undefined) this.#begin(content)
    const figures = document['usageMetadata']
    // What is repeated of a turn that was told already belongs to no other.
    if (this.#turn !== 'told') this.#usage.read(figures)
    this.#hasError ||= (document['error'] ?? null) !== null
    if (content?.['turnComplete'] === true && this.#turn !== 'told') this.#turn = 'over'
    // Its last figures come with its end or behind it, and others may have come before.
    if (this.#turn === 'over' && toObject(figures) !== null) this.#tell()
  }

  end(isWhole: boolean): Reading {
    this.#commit()
    return this.#toReading({ isWhole, isOpen: this.#turn === 'open' || this.#isAwaitingEstimate })
  }

  #tell(): void {
    if (this.#steps === null) return
    this.#commit()
    const reading = this.#toReading({ isWhole: true, isOpen: this.#isAwaitingEstimate })
    this.#shares = new ModelShares()
    this.#isAwaitingEstimate = false
    this.#hasError = false
    this.#turn = 'told'
    this.#steps.ended(reading)
  }

  #toReading({ isWhole, isOpen }: { isWhole: boolean; isOpen: boolean }): Reading {
    const { tokens } = this.#shares
    const shares = this.#shares.toShares(null)
    return {
      ...toSessionKind({ isWhole, isOpen, isMeasured: tokens !== null }),
      // Answers do not name it: the caller's first message did.
      model: null,
      tokens,
      toolCalls: {},
      serviceTier: this.#serviceTier,
      billing: null,
      hasError: this.#hasError,
      ...(shares === undefined ? {} : { shares }),
    }
  }

  /** Part of a turn: a new one's, if the last has ended and this does not repeat its end. */
  #begin(content: JsonObject | null): void {
    const isEnd = content !== null && (content['turnComplete'] ?? content['interrupted']) === true
    if (isEnd || this.#turn === 'open') return
    if (this.#turn === 'over') {
      if (this.#steps === null) this.#commit()
      else this.#tell()
    }
    this.#turn = 'open'
    this.#steps?.began()
  }

  #commit(): void {
    const tokens = this.#usage.tokens()
    if (tokens !== null) this.#shares.add(null, tokens)
    else this.#isAwaitingEstimate ||= this.#turn === 'over'
    this.#serviceTier = this.#usage.serviceTier ?? this.#serviceTier
    this.#usage = new GeminiUsage()
  }
}
