// Reads one JSON text (RFC 8259), in chunks cut anywhere, and accepts nothing else: no comment,
// nothing behind it, and before it at most a byte order mark (§8.1). Must stay true: every parser
// reads an accepted text alike or refuses it, except for repeated names, which are all kept.
// Unwanted parts are checked as strictly.

import type { Buffer } from 'node:buffer'
import { toBuffer } from '../growing-bytes.ts'
import { isNumberEnd, startNumber, stepNumber } from './json-number.ts'
import type { NumberPart } from './json-number.ts'
import { JsonString } from './json-string.ts'
import { BYTE, isSpace } from './json-token.ts'
import { JsonTree, LONG, NUMBER } from './json-tree.ts'
import type { JsonKind, JsonNode, JsonTreeOptions } from './json-tree.ts'
import { Utf8Check } from './utf8-check.ts'

export const DEPTH_MAX = 200

export type StrictJsonResult =
  | { readonly kind: 'whole'; readonly value: JsonNode }
  | { readonly kind: 'refused'; readonly fault: JsonFault }

export type JsonFault = 'invalid JSON' | 'invalid UTF-8' | 'too deep' | 'too large'

export interface StrictJson {
  feed(bytes: Uint8Array): void
  end(): StrictJsonResult
}

export function createStrictJson(options: JsonTreeOptions = {}): StrictJson {
  return new StrictJsonScanner(options)
}

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf)

/** What may come next, or the current token. Numbers, since they are compared for every byte. */
const STATE = {
  value: 0,
  valueOrEnd: 1,
  key: 2,
  keyOrEnd: 3,
  colon: 4,
  after: 5,
  done: 6,
  string: 7,
  number: 8,
  word: 9,
} as const
type State = (typeof STATE)[keyof typeof STATE]

class StrictJsonScanner implements StrictJson {
  readonly #utf8 = new Utf8Check()
  readonly #tree: JsonTree
  #fault: JsonFault | null = null
  /** How many bytes of a byte order mark have come; all of them once the text has begun. */
  #markBytes = 0
  #state: State = STATE.value
  #depth = 0
  /** For every open container, by its depth. */
  readonly #isObjectAt = new Uint8Array(DEPTH_MAX + 1)

  // The current token.
  #isWanted = true
  #isKey = false
  readonly #string = new JsonString()
  #part: NumberPart = 'sign'
  #word = ''
  #wordAt = 0

  constructor(options: JsonTreeOptions) {
    this.#tree = new JsonTree(options)
  }

  feed(bytes: Uint8Array): void {
    if (this.#fault !== null) return
    const chunk = toBuffer(bytes)
    if (!this.#utf8.feed(chunk)) this.#fault = 'invalid UTF-8'
    const start = this.#markBytes === BYTE_ORDER_MARK.length ? 0 : this.#passMark(chunk)
    for (let at = start; at < chunk.length && this.#fault === null;) at = this.#pass(chunk, at)
  }

  #passMark(chunk: Buffer): number {
    let at = 0
    while (at < chunk.length && this.#markBytes < BYTE_ORDER_MARK.length) {
      if (chunk[at] !== BYTE_ORDER_MARK[this.#markBytes]) {
        if (this.#markBytes > 0) this.#fault ??= 'invalid JSON'
        this.#markBytes = BYTE_ORDER_MARK.length
        return at
      }
      this.#markBytes += 1
      at += 1
    }
    return at
  }

  end(): StrictJsonResult {
    if (this.#state === STATE.number && this.#depth === 0) this.#endNumber()
    if (!this.#utf8.end()) this.#fault ??= 'invalid UTF-8'
    if (this.#state !== STATE.done) this.#fault ??= 'invalid JSON'
    if (this.#fault !== null) return { kind: 'refused', fault: this.#fault }
    return { kind: 'whole', value: this.#tree.root }
  }

  #pass(chunk: Buffer, at: number): number {
    const state = this.#state
    if (state === STATE.string) return this.#passString(chunk, at)
    if (state === STATE.number) return this.#passNumber(chunk, at)
    const byte = chunk[at] as number
    if (state === STATE.word) this.#passWord(byte)
    else if (!isSpace(byte)) {
      if (state === STATE.value || state === STATE.valueOrEnd) this.#beginValue(byte)
      else this.#step(byte)
    }
    return at + 1
  }

  /** Takes a byte where no value can begin. */
  #step(byte: number): void {
    const state = this.#state
    const isObject = this.#isObjectAt[this.#depth] === 1
    if (state === STATE.after && byte === BYTE.comma) {
      this.#state = isObject ? STATE.key : STATE.value
    } else if (state === STATE.colon && byte === BYTE.colon) {
      this.#state = STATE.value
    } else if (byte === BYTE.quote && (state === STATE.key || state === STATE.keyOrEnd)) {
      this.#isWanted = this.#depth === this.#tree.depth
      this.#beginString(true)
    } else if (state === STATE.keyOrEnd && byte === BYTE.closeBrace) {
      this.#close()
    } else if (state === STATE.after && byte === (isObject ? BYTE.closeBrace : BYTE.closeBracket)) {
      this.#close()
    } else {
      this.#fault = 'invalid JSON'
    }
  }

  #beginValue(byte: number): void {
    if (byte === BYTE.closeBracket && this.#state === STATE.valueOrEnd) {
      this.#close()
      return
    }
    const kind = kindOf(byte)
    this.#isWanted = this.#depth === this.#tree.depth && this.#tree.wants(kind)
    if (kind === 'string') {
      this.#beginString(false)
    } else if (kind !== 'scalar') {
      this.#open(kind === 'object')
    } else if (byte >= 0x61) {
      this.#beginWord(byte)
    } else {
      const part = startNumber(byte)
      this.#state = STATE.number
      if (part === null) this.#fault = 'invalid JSON'
      else this.#part = part
    }
  }

  #open(isObject: boolean): void {
    if (this.#depth === DEPTH_MAX) {
      this.#fault = 'too deep'
      return
    }
    this.#depth += 1
    this.#isObjectAt[this.#depth] = isObject ? 1 : 0
    this.#state = isObject ? STATE.keyOrEnd : STATE.valueOrEnd
    if (this.#isWanted) this.#tree.open(isObject)
  }

  #close(): void {
    if (this.#depth === this.#tree.depth) this.#tree.close()
    this.#depth -= 1
    this.#endValue()
  }

  #endValue(): void {
    this.#state = this.#depth === 0 ? STATE.done : STATE.after
    if (this.#tree.isOverfull) this.#fault = 'too large'
  }

  #beginWord(byte: number): void {
    this.#state = STATE.word
    this.#word = byte === 0x74 ? 'true' : byte === 0x66 ? 'false' : 'null'
    this.#wordAt = 0
    this.#passWord(byte)
  }

  #passWord(byte: number): void {
    if (byte !== this.#word.charCodeAt(this.#wordAt)) {
      this.#fault = 'invalid JSON'
      return
    }
    this.#wordAt += 1
    if (this.#wordAt < this.#word.length) return
    if (this.#isWanted) this.#tree.put(this.#word === 'null' ? null : this.#word === 'true')
    this.#endValue()
  }

  #passNumber(chunk: Buffer, from: number): number {
    let part = this.#part
    for (let at = from; at < chunk.length; at++) {
      const next = stepNumber(part, chunk[at] as number)
      if (next === null) {
        this.#part = part
        this.#endNumber()
        return at
      }
      part = next
    }
    this.#part = part
    return chunk.length
  }

  #endNumber(): void {
    if (!isNumberEnd(this.#part)) this.#fault = 'invalid JSON'
    else if (this.#isWanted) this.#tree.put(NUMBER)
    this.#endValue()
  }

  #beginString(isKey: boolean): void {
    this.#state = STATE.string
    this.#isKey = isKey
    this.#string.begin(this.#isWanted)
  }

  #passString(chunk: Buffer, from: number): number {
    const string = this.#string
    const at = string.pass(chunk, from)
    if (string.isInvalid) this.#fault = 'invalid JSON'
    if (!string.isOver) return at
    if (this.#isKey) {
      if (this.#isWanted) this.#tree.setKey(string.text === LONG ? '' : string.text)
      this.#state = STATE.colon
      return at
    }
    if (this.#isWanted) this.#tree.putText(string.text)
    this.#endValue()
    return at
  }
}

function kindOf(byte: number): JsonKind {
  if (byte === BYTE.quote) return 'string'
  if (byte === BYTE.openBrace) return 'object'
  return byte === BYTE.openBracket ? 'list' : 'scalar'
}
