// A form's `model` field (RFC 7578), read quickly and for the record only; policies read strictly.
// Must stay true: what is kept is bounded, and files are skipped by a native search.

import { toBuffer } from '../../wire/growing-bytes.ts'
import type { ModelReader, RequestView } from '../provider.ts'
import { createBodyModelReader, createKnownModelReader } from './body-model.ts'
import { toName } from './json-leaves.ts'

/** A part's head and the field's value together. */
export const PART_BYTES_MAX = 4096

const BOUNDARY = /^\s*multipart\/form-data\b.*?;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
const HEAD_END = '\r\n\r\n'
const MODEL_FIELD = /^content-disposition:[^\r\n]*;\s*name="?model"?\s*(?:;|$)/im

/** For calls that take a form or JSON. */
export function createFormModelReader(request: RequestView): ModelReader {
  const contentType = request.header('content-type') ?? ''
  if (!/^\s*multipart\//i.test(contentType)) return createBodyModelReader()
  const match = BOUNDARY.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  return boundary === undefined ? createKnownModelReader(null) : new FormModelReader(boundary)
}

class FormModelReader implements ModelReader {
  readonly #delimiter: string
  /** In a part's head or the field's value; otherwise a boundary is searched for. */
  #isInPart = false
  #carry: Buffer = Buffer.alloc(0)
  #model: string | null = null
  #isDone = false

  constructor(boundary: string) {
    this.#delimiter = `--${boundary}`
  }

  feed(bytes: Uint8Array): boolean {
    if (this.#isDone) return true
    const pending =
      this.#carry.length === 0 ? toBuffer(bytes) : Buffer.concat([this.#carry, toBuffer(bytes)])
    let at = 0
    while (!this.#isDone) {
      const next = this.#step(pending, at)
      if (next === null) break
      at = next
    }
    // Copied: the caller reuses its memory.
    this.#carry = Buffer.from(pending.subarray(Math.max(at, this.#keptFrom(pending))))
    return this.#isDone
  }

  end(): string | null {
    return this.#model
  }

  /** Where the next step begins; null when this one needs more bytes. */
  #step(pending: Buffer, at: number): number | null {
    if (!this.#isInPart) {
      const start = pending.indexOf(this.#delimiter, at, 'latin1')
      if (start === -1) return null
      this.#isInPart = true
      return start + this.#delimiter.length
    }
    const headEnd = pending.indexOf(HEAD_END, at, 'latin1')
    const isTooLong = (headEnd === -1 ? pending.length : headEnd) - at > PART_BYTES_MAX
    if (isTooLong) return this.#leavePart(at)
    if (headEnd === -1) return null
    if (!MODEL_FIELD.test(pending.toString('latin1', at, headEnd).trimStart())) {
      return this.#leavePart(headEnd)
    }
    const valueStart = headEnd + HEAD_END.length
    const valueEnd = pending.indexOf(`\r\n${this.#delimiter}`, valueStart, 'latin1')
    if (valueEnd === -1 && pending.length - at <= PART_BYTES_MAX) return null
    this.#isDone = true
    if (valueEnd !== -1) this.#model = toName(pending.toString('utf8', valueStart, valueEnd))
    return null
  }

  #leavePart(at: number): number {
    this.#isInPart = false
    return at
  }

  /** Outside a part, only a possible boundary's start is kept. */
  #keptFrom(pending: Buffer): number {
    return this.#isInPart ? 0 : pending.length - this.#delimiter.length + 1
  }
}
