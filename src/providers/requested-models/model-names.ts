// Every model that a request can run, for keys that may not use them all: in body, path, query,
// headers or form fields. Must stay true: what is not certain is unreadable, never skipped.

import { isAscii } from 'node:buffer'
import { toBodyType } from './body-type.ts'
import type { BodyKind } from './body-type.ts'
import { FormNames } from './form-names.ts'
import { FoundNames } from './found-names.ts'
import type { Normalise } from './found-names.ts'
import { readHeadNames } from './head-names.ts'
import type { FromHead } from './head-names.ts'
import { JsonNames } from './json-names.ts'
import { createNameWords } from './name-words.ts'
import type { MoreWords, NameWords } from './name-words.ts'
import type { NamesFound, NamesReader, Operation, RequestView } from '../provider.ts'

type CreateNamesReader = Operation['createNamesReader']

export interface NamesOptions extends DocumentNamesOptions {
  /** JSON when left out. */
  readonly body?: BodyKind
  /** Names that stand before the body; null where an id hides the model. */
  readonly fromHead?: FromHead
  /** Models that any key may use here: the call costs nothing and runs none but such. */
  readonly unlisted?: readonly string[]
  /** True where the head alone decides: the provider ignores the body's own `model`. */
  readonly isOwnIgnored?: (request: RequestView) => boolean
}

export interface DocumentNamesOptions extends MoreWords {
  /** Root members with the caller's own content, beside the usual ones. */
  readonly content?: readonly string[]
  /** Members that name this call's model, or hide models, beside the usual ones. */
  readonly naming?: readonly string[]
  readonly hiding?: readonly string[]
  /** Converts a name to the form that policies use: `models/x` to `x`. */
  readonly normalise?: Normalise
}

export interface MessageNamesOptions extends DocumentNamesOptions {
  /** The kinds of messages that run no model, where all others must name theirs. */
  readonly namelessKinds?: readonly string[]
}

/** For requests that run a model: at least one name has to be found. */
export function namesIn(options: NamesOptions = {}): CreateNamesReader {
  const words = createNameWords(options)
  return (request) => new RequestNames(request, options, words)
}

/** For one JSON document, such as a WebSocket message, which need not name any. */
export function namesInDocument(options: MessageNamesOptions = {}): () => NamesReader {
  const words = createNameWords(options)
  const { namelessKinds } = options
  return () => {
    const found = new FoundNames(options.normalise)
    const names = new JsonNames(words, found)
    return {
      feed: (bytes) => names.feed(bytes),
      end() {
        names.end()
        const isNamed = found.ownCount > 0 || namelessKinds === undefined
        if (!isNamed && !namelessKinds.includes(names.kind ?? '')) {
          found.refuse('it does not name the model, which every message that runs one has to do')
        }
        return found.end()
      },
    }
  }
}

/** For a head, such as one that asks for an upgrade, which need not name any. */
export const namesInHead: CreateNamesReader = (request) => {
  const found = new FoundNames(undefined)
  readHeadNames(request, undefined, found)
  return { isBodyless: true, feed() {}, end: () => found.end() }
}

/** For requests that run no model, whatever they say. */
export const noNames: CreateNamesReader = () => ({
  isBodyless: true,
  isQuiet: true,
  feed() {},
  end: () => ({ kind: 'named', names: [] }),
})

export function hiddenNames(reason: string): CreateNamesReader {
  return () => ({ isBodyless: true, feed() {}, end: () => ({ kind: 'unreadable', reason }) })
}

class RequestNames implements NamesReader {
  /** The head decides: no body makes a request readable whose head is not. */
  readonly isBodyless?: true
  readonly #request: RequestView
  readonly #options: NamesOptions
  readonly #words: NameWords
  readonly #found: FoundNames
  #body: JsonNames | FormNames | null = null
  #mustBeAscii = false

  constructor(request: RequestView, options: NamesOptions, words: NameWords) {
    this.#request = request
    this.#options = options
    this.#words = words
    this.#found = new FoundNames(options.normalise, options.unlisted)
    this.#found.isOwnIgnored = options.isOwnIgnored?.(request) === true
    readHeadNames(request, options.fromHead, this.#found)
    if (this.#found.isRefused) this.isBodyless = true
  }

  feed(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#found.isRefused) return
    this.#body ??= this.#createBody()
    if (this.#mustBeAscii && !isAscii(bytes)) {
      this.#found.refuse('its body is not in the charset of its content type')
    }
    this.#body?.feed(bytes)
  }

  end(): NamesFound {
    if (!this.#found.isRefused) this.#body?.end()
    if (!this.#isNamed()) this.#found.refuse('it names no model')
    return this.#found.end()
  }

  /** A server that expects the model in the body and finds none uses its default. */
  #isNamed(): boolean {
    const { count, ownCount } = this.#found
    return this.#body === null ? count > 0 : ownCount > 0
  }

  #createBody(): JsonNames | FormNames | null {
    const type = toBodyType(this.#request, this.#options.body ?? 'json')
    switch (type.kind) {
      case 'json':
        this.#mustBeAscii = type.isAscii
        return new JsonNames(this.#words, this.#found)
      case 'form':
        return new FormNames(type.boundary, this.#words, this.#found)
      case 'refused':
        this.#found.refuse(type.reason)
        return null
    }
  }
}
