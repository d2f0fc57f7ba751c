// The JSON documents of a response body, be it one object or a stream of events: a reader of usage
// cares for the documents, not for how they were sent. Must stay true: memory is bounded, whatever
// the body holds, and a document that breaks off still yields the members that came whole.

import { GrowingBytes } from '../../wire/growing-bytes.ts'
import { createJsonMembers, parseJson } from '../../wire/json-members.ts'
import type { JsonMembers, JsonShape } from '../../wire/json-members.ts'
import { createSseScanner } from '../../wire/sse.ts'
import type { JsonObject } from './json-leaves.ts'
import { toObject } from './json-leaves.ts'

/**
 * Up to this size a body is kept and parsed as one, at about half the cost of searching it. Above, it
 * is searched as it comes: its memory stays small and no single chunk stalls the other streams.
 */
export const WHOLE_BYTES_MAX = 64 * 1024

export interface BodyDocumentsOptions {
  readonly contentType: string | null
  /** The members that are kept of a body too large, or too damaged, to be parsed as one. */
  readonly shape: JsonShape
  /** Events of a stream that it does not match are passed over. */
  readonly needles: RegExp
  onDocument(document: JsonObject, event: string | null): void
}

export interface BodyDocuments {
  feed(bytes: Uint8Array): void
  /** Hands out what was still open. */
  end(isWhole: boolean): BodyEnd
  setNeedles(needles: RegExp): void
}

export interface BodyEnd {
  /** The body came to its end: by its framing, or by its own word, which may come before that. */
  readonly isComplete: boolean
  /** Something in it that should have been JSON was none. */
  readonly isMalformed: boolean
}

export function createBodyDocuments(options: BodyDocumentsOptions): BodyDocuments {
  let needles = options.needles
  let body: BodyDocuments | null = null
  return {
    feed(bytes) {
      if (body !== null) return body.feed(bytes)
      const start = bytes.findIndex((byte) => !BLANKS.includes(byte))
      if (start === -1) return
      const isStream = isEventStream(bytes[start] as number, options.contentType)
      body = (isStream ? createStream : createSingle)({ ...options, needles })
      body.feed(bytes.subarray(start))
    },
    end: (isWhole) => body?.end(isWhole) ?? { isComplete: isWhole, isMalformed: false },
    setNeedles(others) {
      needles = others
      body?.setNeedles(others)
    },
  }
}

/** Blanks, line ends and the bytes of a byte order mark: some servers keep a call alive with them. */
const BLANKS = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]
/** What a line of an event stream begins with: `data`, `event`, `id`, `retry` or a colon. */
const STREAM_STARTS = 'deir:'
const OBJECT_STARTS = '{['

/** Content types are wrong often enough that the first byte has the last word. */
function isEventStream(firstByte: number, contentType: string | null): boolean {
  const first = String.fromCharCode(firstByte)
  if (OBJECT_STARTS.includes(first)) return false
  if (STREAM_STARTS.includes(first)) return true
  return /^\s*text\/event-stream\b/i.test(contentType ?? '')
}

function createStream(options: BodyDocumentsOptions): BodyDocuments {
  let isFinished = false
  let isMalformed = false
  const scanner = createSseScanner({
    needles: options.needles,
    onEvent(data, event) {
      if (data.trim() === '[DONE]') {
        isFinished = true
        return
      }
      const document = toObject(parseJson(data))
      if (document === null) isMalformed = true
      else options.onDocument(document, event)
    },
  })
  return {
    feed: (bytes) => scanner.feed(bytes),
    end(isWhole) {
      scanner.end()
      return { isComplete: isWhole || isFinished, isMalformed }
    },
    setNeedles: (needles) => scanner.setNeedles(needles),
  }
}

function createSingle(options: BodyDocumentsOptions): BodyDocuments {
  const kept = new GrowingBytes()
  let members: JsonMembers | null = null

  function search(): JsonMembers {
    members = createJsonMembers({ shape: options.shape })
    members.feed(kept.view())
    kept.clear()
    return members
  }

  return {
    feed(bytes) {
      if (members !== null) return members.feed(bytes)
      if (kept.length + bytes.length > WHOLE_BYTES_MAX) search().feed(bytes)
      else kept.append(bytes)
    },
    end() {
      const text = members === null ? kept.view().toString() : null
      const document = text === null ? null : toObject(parseJson(text))
      if (document !== null) {
        options.onDocument(document, null)
        return { isComplete: true, isMalformed: false }
      }
      const { kind, value } = (members ?? search()).end()
      options.onDocument(value, null)
      return { isComplete: kind === 'whole', isMalformed: kind !== 'whole' }
    },
    setNeedles() {},
  }
}
