// A few short fields of a form (RFC 7578), read quickly and for the record only; policies read
// strictly. Must stay true: what is kept is bounded, and files are skipped by a native search.

import { toBuffer } from '../../wire/growing-bytes.ts'
import { toName } from './json-leaves.ts'

/** A part's head and the field's value together. */
export const PART_BYTES_MAX = 4096

const BOUNDARY = /^\s*multipart\/form-data\b.*?;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i
const HEAD_END = '\r\n\r\n'
const FORM_END = '--'
const FIELD = /^content-disposition:[^\r\n]*;\s*name="?([\w.]{1,64})"?\s*(?:;|$)/im

/** Null where the content type names none. */
export function findBoundary(contentType: string): string | null {
  const match = BOUNDARY.exec(contentType)
  return match?.[1] ?? match?.[2] ?? null
}

/** Of fields with the same name the first decides. */
export class FormFields {
  readonly #delimiter: string
  readonly #wanted: readonly string[]
  /** Null for a value that is no short text. */
  readonly #found = new Map<string, string | null>()
  /** In a part's head or a field's value; otherwise a boundary is searched for. */
  #isInPart = false
  #carry: Buffer = Buffer.alloc(0)

  constructor(boundary: string, wanted: readonly string[]) {
    this.#delimiter = `--${boundary}`
    this.#wanted = wanted
  }

  /** True when no further byte would change what was found. */
  get isDone(): boolean {
    return this.#found.size === this.#wanted.length
  }

  /** All of the form has come. */
  get isWhole(): boolean {
    return this.#isInPart && this.#carry.toString('latin1', 0, 2) === FORM_END
  }

  find(name: string): string | null {
    return this.#found.get(name) ?? null
  }

  feed(bytes: Uint8Array): void {
    if (this.isDone) return
    const pending =
      this.#carry.length === 0 ? toBuffer(bytes) : Buffer.concat([this.#carry, toBuffer(bytes)])
    let at = 0
    while (!this.isDone) {
      const next = this.#step(pending, at)
      if (next === null) break
      at = next
    }
    // Copied: the caller reuses its memory.
    this.#carry = Buffer.from(pending.subarray(Math.max(at, this.#keptFrom(pending))))
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
    const name = FIELD.exec(pending.toString('latin1', at, headEnd).trimStart())?.[1] ?? ''
    if (!this.#wanted.includes(name) || this.#found.has(name)) return this.#leavePart(headEnd)
    const valueStart = headEnd + HEAD_END.length
    const valueEnd = pending.indexOf(`\r\n${this.#delimiter}`, valueStart, 'latin1')
    if (valueEnd === -1 && pending.length - at <= PART_BYTES_MAX) return null
    const value = valueEnd === -1 ? '' : pending.toString('utf8', valueStart, valueEnd)
    this.#found.set(name, toName(value))
    return this.#leavePart(valueStart)
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
