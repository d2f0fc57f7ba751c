// Takes a few members out of a JSON object, in chunks cut anywhere; the rest is not validated. Must
// stay true: memory is bounded by the wanted values' limit, not by the body.

import type { Buffer } from 'node:buffer'
import { GrowingBytes, toBuffer } from '../growing-bytes.ts'

import { BYTE, createJsonToken, isSpace, isValueStart } from './json-token.ts'

/** It is parsed at once: this much takes a few milliseconds if it is all small objects. */
export const VALUE_BYTES_MAX = 128 * 1024
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
/** No wanted name is as long, even with every character escaped. */
const KEY_BYTES_MAX = 512

/**
 * `true` keeps a member's value whole, an object looks inside an object, and a list looks inside
 * the first elements of an array, as many as it says.
 */
export interface JsonShape {
  readonly [name: string]: true | JsonShape | JsonListShape
}

export type JsonListShape = readonly [element: JsonShape, elementsMax?: number]

export interface JsonMembersOptions {
  readonly shape: JsonShape
  /** A larger value counts as absent. */
  readonly valueBytesMax?: number
  /** Stop once every member of the root was found; otherwise the last one of a name wins. */
  readonly isFirstEnough?: boolean
}

export interface JsonMembersResult {
  /** cut: the object was not closed. malformed: this is not a JSON object. */
  readonly kind: 'whole' | 'cut' | 'malformed'
  readonly value: Readonly<Record<string, unknown>>
}

export interface JsonMembers {
  feed(bytes: Uint8Array): void
  end(): JsonMembersResult
  /** True when no further byte would change the value. */
  readonly isDone: boolean
}

export function createJsonMembers(options: JsonMembersOptions): JsonMembers {
  return new MemberScanner(options)
}

type Wanted = true | JsonShape | JsonListShape | null

interface Frame {
  readonly shape: JsonShape
  readonly target: Record<string, unknown> | unknown[]
  /** Elements of an array that may still be looked into; unused for an object. */
  elementsLeft: number
}

type State = 'start' | 'key-or-end' | 'key' | 'colon' | 'value' | 'after' | 'closed' | 'malformed'

class MemberScanner implements JsonMembers {
  readonly #shape: JsonShape
  readonly #valueBytesMax: number
  readonly #enoughMembers: number
  readonly #root: Record<string, unknown> = {}
  readonly #frames: Frame[] = []
  #state: State = 'start'
  #isEnough = false
  #name = ''
  #wanted: Wanted = null
  /** The array was opened and nothing in it has come yet. */
  #isListStart = false

  // The current token, a key or a value: it began at `#start` of this chunk, after `#carry`.
  #isRunning = false
  #start = 0
  #carry: GrowingBytes | null = null
  #isTooLong = false
  readonly #token = createJsonToken()

  constructor(options: JsonMembersOptions) {
    this.#shape = options.shape
    this.#valueBytesMax = options.valueBytesMax ?? VALUE_BYTES_MAX
    this.#enoughMembers = options.isFirstEnough ? Object.keys(options.shape).length : Infinity
  }

  get isDone(): boolean {
    return this.#isEnough || this.#state === 'malformed'
  }

  feed(bytes: Uint8Array): void {
    const chunk = toBuffer(bytes)
    let at = 0
    this.#start = 0
    while (at < chunk.length && !this.isDone) {
      if (!this.#isRunning) {
        at = this.#step(chunk, at)
      } else {
        at = this.#token.pass(chunk, at)
        if (this.#token.isOver) this.#finish(chunk, at)
      }
    }
    if (this.#isRunning) this.#keep(chunk.subarray(this.#start))
  }

  end(): JsonMembersResult {
    const isWhole = this.#state === 'closed' || this.#isEnough
    const kind = this.#state === 'malformed' ? 'malformed' : isWhole ? 'whole' : 'cut'
    return { kind, value: this.#root }
  }

  /** Takes one byte between two tokens, or a token's first. */
  #step(chunk: Buffer, at: number): number {
    const byte = chunk[at] as number
    const state = this.#state
    if (isSpace(byte) || (state === 'start' && BYTE_ORDER_MARK.includes(byte))) return at + 1
    const frame = this.#frames.at(-1)
    if (state === 'start' && byte === BYTE.openBrace) {
      this.#push({ shape: this.#shape, target: this.#root, elementsLeft: 0 })
    } else if (frame !== undefined && this.#isEnd(frame, byte)) {
      this.#frames.pop()
      this.#state = this.#frames.length === 0 ? 'closed' : 'after'
    } else if ((state === 'key' || state === 'key-or-end') && byte === BYTE.quote) {
      this.#begin(byte, at)
    } else if (state === 'colon' && byte === BYTE.colon) {
      this.#state = 'value'
    } else if (frame !== undefined && state === 'after' && byte === BYTE.comma) {
      this.#state = Array.isArray(frame.target) ? 'value' : 'key'
      this.#wanted = frame.elementsLeft > 0 ? frame.shape : null
    } else if (state === 'value' && isValueStart(byte)) {
      this.#beginValue(byte, at)
    } else {
      this.#state = 'malformed'
    }
    return at + 1
  }

  #isEnd(frame: Frame, byte: number): boolean {
    const isAfter = this.#state === 'after'
    if (!Array.isArray(frame.target)) {
      return byte === BYTE.closeBrace && (isAfter || this.#state === 'key-or-end')
    }
    const isEmpty = this.#state === 'value' && this.#isListStart
    return byte === BYTE.closeBracket && (isAfter || isEmpty)
  }

  #beginValue(byte: number, at: number): void {
    const frame = this.#frames.at(-1) as Frame
    const { target } = frame
    const wanted = this.#wanted
    this.#isListStart = false
    frame.elementsLeft--
    // A repeated name replaces its earlier value, as in JSON.parse.
    if (wanted !== null && !Array.isArray(target)) delete target[this.#name]
    if (byte === BYTE.openBrace && isObjectShape(wanted)) {
      this.#push({ shape: wanted, target: this.#put({}), elementsLeft: 0 })
    } else if (byte === BYTE.openBracket && isListShape(wanted)) {
      this.#push({ shape: wanted[0], target: this.#put([]), elementsLeft: wanted[1] ?? 1 })
    } else {
      this.#wanted = wanted === true ? true : null
      this.#begin(byte, at)
    }
  }

  #put<Value>(value: Value): Value {
    const { target } = this.#frames.at(-1) as Frame
    if (Array.isArray(target)) target.push(value)
    else target[this.#name] = value
    return value
  }

  #push(frame: Frame): void {
    const isList = Array.isArray(frame.target)
    this.#frames.push(frame)
    this.#state = isList ? 'value' : 'key-or-end'
    this.#isListStart = isList
    this.#wanted = isList ? frame.shape : null
  }

  #begin(byte: number, at: number): void {
    this.#isRunning = true
    this.#start = at
    this.#isTooLong = false
    this.#token.begin(byte)
  }

  #finish(chunk: Buffer, end: number): void {
    this.#isRunning = false
    const text = this.#takeText(chunk, end)
    if (this.#state !== 'value') {
      const { shape } = this.#frames.at(-1) as Frame
      this.#name = text === null ? '' : decodeKey(text)
      const isWanted = text !== null && Object.hasOwn(shape, this.#name)
      this.#wanted = isWanted ? (shape[this.#name] ?? null) : null
      this.#state = 'colon'
      return
    }
    this.#state = 'after'
    if (text === null) return
    const value = parseJson(text)
    if (value === undefined) {
      this.#state = 'malformed'
      return
    }
    this.#put(value)
    const isRoot = this.#frames.length === 1
    this.#isEnough = isRoot && Object.keys(this.#root).length >= this.#enoughMembers
  }

  /** The token's text; null when it is not wanted or too long. */
  #takeText(chunk: Buffer, end: number): string | null {
    if (this.#carry === null && !this.#isTooLong) {
      const isTooLong = end - this.#start > this.#bytesMax()
      return isTooLong ? null : chunk.toString('utf8', this.#start, end)
    }
    this.#keep(chunk.subarray(this.#start, end))
    const text = this.#carry?.view().toString() ?? null
    this.#carry = null
    return text
  }

  #keep(piece: Buffer): void {
    this.#isTooLong ||= (this.#carry?.length ?? 0) + piece.length > this.#bytesMax()
    if (this.#isTooLong) {
      this.#carry = null
      return
    }
    this.#carry ??= new GrowingBytes()
    this.#carry.append(piece)
  }

  #bytesMax(): number {
    if (this.#state !== 'value') return KEY_BYTES_MAX
    return this.#wanted === null ? 0 : this.#valueBytesMax
  }
}

/** Undefined, which no JSON text stands for, where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The name between the quotes, or the quoted text itself where an escape in it is not valid. */
function decodeKey(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1)
  const name = parseJson(quoted)
  return typeof name === 'string' ? name : quoted
}

function isObjectShape(wanted: Wanted): wanted is JsonShape {
  return typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted)
}

function isListShape(wanted: Wanted): wanted is JsonListShape {
  return Array.isArray(wanted)
}
