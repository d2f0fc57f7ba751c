// Takes the text that a model produced out of a stream's events without parsing them: the value of
// the first wanted member in each, as it stands in the JSON. It is needed only where no tokens are
// reported, so it must cost almost nothing. Must stay true: its memory is bounded.

import { GrowingBytes } from '../growing-bytes.ts'

const QUOTE = 34
const BACKSLASH = 92
/** Short pieces are joined as text, which costs a fifth of writing each. */
const PENDING_CHARACTERS = 1024

/** Matches members of these names; its one group is all that stands before the text. */
export function toTextPattern(names: readonly string[]): RegExp {
  const known = names.map((name) => RegExp.escape(name)).join('|')
  return new RegExp(`("(?:${known})"\\s?:\\s?")[^"]`)
}

export class TextCapture {
  readonly #pattern: RegExp
  readonly #bytesMax: number
  // What stood before the last event's text, and where: nearly every event repeats it.
  #opening = '\0'
  #at = 0
  #pending = ''
  #kept: GrowingBytes | null = new GrowingBytes()

  /** Text beyond `bytesMax` is left out. */
  constructor(pattern: RegExp, bytesMax: number) {
    this.#pattern = pattern
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#kept === null ? 0 : this.#kept.length + this.#pending.length
  }

  /** `event` is read as Latin-1, one character per byte. */
  take(event: string): void {
    if (this.#kept === null) return
    const start = this.#find(event)
    if (start === -1) return
    let end = start
    for (;;) {
      const code = event.charCodeAt(end)
      if (code === QUOTE) break
      // Past the end of the event it is no number: a text that is not closed was cut.
      if (Number.isNaN(code)) return
      end += code === BACKSLASH ? 2 : 1
    }
    if (end === start || this.bytes + end - start > this.#bytesMax) return
    this.#pending += event.slice(start, end)
    if (this.#pending.length > PENDING_CHARACTERS) this.#flush(this.#kept)
  }

  drop(): void {
    this.#kept = null
    this.#pending = ''
  }

  /** All of it as UTF-8 text, escapes as they stood. */
  text(): string {
    if (this.#kept === null) return ''
    this.#flush(this.#kept)
    return this.#kept.view().toString()
  }

  #find(event: string): number {
    if (event.startsWith(this.#opening, this.#at)) {
      const start = this.#at + this.#opening.length
      // Another text may follow an empty one: an answer beside its reasoning.
      if (event.charCodeAt(start) !== QUOTE) return start
    }
    const match = this.#pattern.exec(event)
    if (match === null) return -1
    this.#opening = match[1] as string
    this.#at = match.index
    return match.index + this.#opening.length
  }

  #flush(kept: GrowingBytes): void {
    kept.append(Buffer.from(this.#pending, 'latin1'))
    this.#pending = ''
  }
}
