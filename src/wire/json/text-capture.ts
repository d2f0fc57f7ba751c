// Takes the text that a model produced out of a stream's events without parsing them: the value of
// the first wanted member in each, as it stands in the JSON, and all of a tool call. It is needed
// only where no tokens are reported, so it must cost almost nothing. Must stay true: its memory is
// bounded.

import { GrowingBytes } from '../growing-bytes.ts'

const QUOTE = 34
const BACKSLASH = 92
/** Short pieces are joined as text, which costs a fifth of writing each. */
const PENDING_CHARACTERS = 1024

/** What a chunk adds is in here; some servers repeat beside it all that came before. */
const DELTA = '"delta"'
/** A tool's; its arguments may be in the same event. */
const NAME = '"name"'

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
  #calls = 0
  #kept: GrowingBytes | null = new GrowingBytes()

  /** Text beyond `bytesMax` is left out. */
  constructor(pattern: RegExp, bytesMax: number) {
    this.#pattern = pattern
    this.#bytesMax = bytesMax
  }

  get bytes(): number {
    return this.#kept === null ? 0 : this.#kept.length + this.#pending.length
  }

  /** How many tools were called. */
  get calls(): number {
    return this.#calls
  }

  /** `event` is read as Latin-1, one character per byte. */
  take(event: string): void {
    if (this.#kept === null) return
    let start = this.#find(event)
    while (start !== -1) {
      const end = findEnd(event, start)
      if (end === -1) return
      this.#keep(event.slice(start, end), this.#kept)
      if (!this.#opening.startsWith(NAME)) return
      this.#calls += 1
      start = this.#search(event, end)
    }
  }

  #keep(text: string, kept: GrowingBytes): void {
    if (text === '' || this.bytes + text.length > this.#bytesMax) return
    this.#pending += text
    if (this.#pending.length > PENDING_CHARACTERS) this.#flush(kept)
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
    return this.#search(event, Math.max(0, event.indexOf(DELTA)))
  }

  #search(event: string, from: number): number {
    const match = this.#pattern.exec(from === 0 ? event : event.slice(from))
    if (match === null) return -1
    this.#opening = match[1] as string
    this.#at = from + match.index
    return this.#at + this.#opening.length
  }

  #flush(kept: GrowingBytes): void {
    kept.append(Buffer.from(this.#pending, 'latin1'))
    this.#pending = ''
  }
}

/** Where the text closes; -1 past the end of the event: a text that is not closed was cut. */
function findEnd(event: string, start: number): number {
  for (let end = start; ;) {
    const code = event.charCodeAt(end)
    if (code === QUOTE) return end
    if (Number.isNaN(code)) return -1
    end += code === BACKSLASH ? 2 : 1
  }
}
