// Operations on a WebSocket with JSON messages. The model stands in the head or in a message.

import { toBuffer } from '../../wire/growing-bytes.ts'
import { parseJson } from '../../wire/json/json-members.ts'
import { BYTE, isSpace } from '../../wire/json/json-token.ts'
import { hiddenNames, namesInDocument, namesInHead } from '../requested-models/model-names.ts'
import type { MessageNamesOptions } from '../requested-models/model-names.ts'
import type { AskedResponse, MessageReader, Operation, Reading } from '../provider.ts'
import type { RequestView, ResponseSteps } from '../provider.ts'
import { createKnownModelReader } from './body-model.ts'
import { FAULTS_MAX } from './document-pieces.ts'
import { findErrorCode } from './provider-error.ts'
import { hasMoney, SILENT } from './document-reader.ts'
import type { JsonObject } from './json-leaves.ts'
import { toName, toObject } from './json-leaves.ts'
import { matchPath } from './model-operation.ts'
import type { PathPattern } from './model-operation.ts'
import { toReadable } from './readable-counts.ts'
import type { AdditionReader, ShapeAddition } from './shape-addition.ts'

export interface SocketReader {
  /** True for messages that need not be parsed: most are pieces of sound or text. */
  isContent(message: Buffer): boolean
  read(document: JsonObject): void
  end(isWhole: boolean): Reading
}

export interface SocketOperationOptions {
  readonly name: string
  readonly path: PathPattern
  readonly addition?: ShapeAddition | undefined
  readonly names?: MessageNamesOptions
  /** The model in a caller's message, where the upstream never reports it. */
  readonly readModel?: (document: JsonObject) => string | null
  /** True where the head leads to a model that was named elsewhere. */
  readonly isHidden?: (request: RequestView) => boolean
  /** A message with none of these words, nor an escape that could hide one, asks for nothing. */
  readonly askWords: readonly string[]
  readonly readAsk: (document: JsonObject) => AskedResponse | null
  readonly hasErrors?: true
  readonly createReader: (
    requestedModel: string | null,
    steps: ResponseSteps | null,
  ) => SocketReader
}

export function socketOperation(options: SocketOperationOptions): Operation {
  const { name, path, addition, names, isHidden, readModel, createReader } = options
  const { askWords, readAsk, hasErrors } = options
  return {
    name,
    matches: matchPath('GET', path),
    createModelReader: (request) => createKnownModelReader(findModel(request)),
    createNamesReader: (request) =>
      // The head need not name a model: a message must, and none is forwarded until then.
      isHidden?.(request) === true ? HIDDEN(request) : namesInHead(request),
    createUsageReader: () => SILENT,
    tunnel: {
      createUsageReader: (request, steps) =>
        new JsonMessages(
          (ownSteps) => createReader(findModel(request), ownSteps),
          addition ?? null,
          steps ?? null,
        ),
      readAsk: (message) =>
        mayHave(toBuffer(message), askWords) ? readAsk(toDocument(message) ?? {}) : null,
      hasErrors,
      createNamesReader: namesInDocument(names),
      ...(readModel === undefined
        ? {}
        : { readModel: (message) => readModel(toDocument(message) ?? {}) }),
    },
  }
}

const MODEL_PARAMETERS = ['model', 'deployment', 'ai-model-id']

/** For the record: the first one that has a value. */
function findModel(request: RequestView): string | null {
  const query = new URLSearchParams(request.query)
  for (const parameter of MODEL_PARAMETERS) {
    const model = toName(query.get(parameter))
    if (model !== null) return model
  }
  return toName(request.header('ai-model-id'))
}

/** In lower case, escapes undone. */
export function parameterNames(query: string): readonly string[] {
  return [...new URLSearchParams(query).keys()].map((name) => name.toLowerCase())
}

const HIDDEN = hiddenNames('it leads to a model that was named elsewhere')

const BACKSLASH = 0x5c

/** Most messages are sound: they are searched, not parsed. */
function mayHave(message: Buffer, words: readonly string[]): boolean {
  return message.includes(BACKSLASH) || words.some((word) => message.includes(word))
}

class JsonMessages implements MessageReader {
  readonly #reader: SocketReader
  readonly #shapeAddition: ShapeAddition | null
  #addition: AdditionReader | null
  #faults = 0
  /** Of the last error. */
  #errorCode: string | null = null

  constructor(
    createReader: (steps: ResponseSteps | null) => SocketReader,
    addition: ShapeAddition | null,
    steps: ResponseSteps | null,
  ) {
    this.#shapeAddition = addition
    this.#addition = addition?.createReader() ?? null
    this.#reader = createReader(steps === null ? null : this.#completing(steps))
  }

  #completing(steps: ResponseSteps): ResponseSteps {
    return {
      began: () => steps.began(),
      refused: () => steps.refused(),
      ended: (reading) => {
        const whole = this.#complete(toReadable(reading))
        this.#addition = this.#shapeAddition?.createReader() ?? null
        steps.ended(whole)
      },
    }
  }

  read(message: Uint8Array): void {
    const bytes = toBuffer(message)
    if (!isBraced(bytes) || this.#faults > FAULTS_MAX || this.#reader.isContent(bytes)) return
    const document = toDocument(bytes)
    if (document === null) {
      this.#faults += 1
      return
    }
    // First: a response ends with what is billed for it.
    this.#addition?.read(document)
    this.#errorCode = findErrorCode(document) ?? this.#errorCode
    this.#reader.read(document)
  }

  end(isWhole: boolean): Reading {
    return this.#complete(toReadable(this.#reader.end(isWhole && this.#faults <= FAULTS_MAX)))
  }

  #complete(answered: Reading): Reading {
    const providerError = answered.hasError ? this.#errorCode : null
    this.#errorCode = null
    const reading = providerError === null ? answered : { ...answered, providerError }
    const added = this.#addition?.end()
    if (added === undefined) return reading
    return {
      ...(hasMoney(added.billing) ? withMoney(reading) : reading),
      model: added.model ?? reading.model,
      billing: added.billing,
      toolCalls: { ...reading.toolCalls, ...added.toolCalls },
    }
  }
}

/** Money without figures is partial, and what was charged is not free. */
function withMoney(reading: Reading): Reading {
  const { isCharged: _, ...charged } = reading
  return reading.kind === 'missing' ? { ...charged, kind: 'partial' } : charged
}

/** Most of what is not an object shows it: a failing parse takes twenty times as long. */
function isBraced(message: Buffer): boolean {
  let start = 0
  let end = message.length - 1
  while (start < end && isSpace(message[start] as number)) start += 1
  while (end > start && isSpace(message[end] as number)) end -= 1
  return message[start] === BYTE.openBrace && message[end] === BYTE.closeBrace
}

function toDocument(message: Uint8Array): JsonObject | null {
  return toObject(parseJson(toBuffer(message).toString()))
}

/** Where a message's kind stands, if it comes first as usual. */
const KIND_BYTES_MAX = 256

export function beginsLike(message: Buffer, pattern: RegExp): boolean {
  return pattern.test(message.toString('latin1', 0, KIND_BYTES_MAX))
}

export interface SessionEnd {
  readonly isWhole: boolean
  /** Work was in progress whose figures never came. */
  readonly isOpen: boolean
  /** Figures came, in tokens or otherwise. */
  readonly isMeasured: boolean
}

/** Reported in full, in part or not at all; where nothing was done, nothing is due. */
export function toSessionKind(end: SessionEnd): Pick<Reading, 'kind' | 'isCharged'> {
  const isComplete = end.isWhole && !end.isOpen
  if (end.isMeasured) return { kind: isComplete ? 'reported' : 'partial' }
  return isComplete ? { kind: 'missing', isCharged: false } : { kind: 'missing' }
}
