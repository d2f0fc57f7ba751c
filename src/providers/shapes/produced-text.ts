// The text a model produced, for answers without reported tokens: taken from passing events, or
// from the answer's one document. Must stay true: it is never kept once the tokens are known.

import { TextCapture, toTextPattern } from '../../wire/json/text-capture.ts'
import type { JsonObject } from './json-leaves.ts'

/** Some sixty thousand tokens of English: more than most models produce at once. */
export const TEXT_BYTES_MAX = 256 * 1024
/** Text in `choices[].message.content[].text` is six levels deep. */
const DEPTH_MAX = 8
/** Limits the search: an answer's list of numbers must not delay other streams. */
const VALUES_MAX = 10_000
/** One token in every tokenizer: so many of it stand for what a tool call costs beside its text. */
const ONE_TOKEN = ' call'

export interface TextPlan {
  readonly names: ReadonlySet<string>
  readonly pattern: RegExp
  /** What a tool call costs beside its name and its arguments. */
  readonly callTokens: number
}

export function toTextPlan(names: readonly string[], callTokens = 0): TextPlan {
  return { names: new Set(names), pattern: toTextPattern(names), callTokens }
}

export class ProducedText {
  readonly #plan: TextPlan
  /** Null until there is a stream. */
  #capture: TextCapture | null = null
  #isDropped = false
  #document: JsonObject | null = null

  constructor(plan: TextPlan) {
    this.#plan = plan
  }

  /** Receives an event of a stream, as Latin-1. */
  readonly passing = (event: string): void => {
    if (this.#isDropped) return
    this.#capture ??= new TextCapture(this.#plan.pattern, TEXT_BYTES_MAX)
    this.#capture.take(event)
  }

  read(document: JsonObject): void {
    if (this.#capture === null && !this.#isDropped) this.#document = document
  }

  /** A single document's text is not counted: it exists for a moment only. */
  get bytes(): number {
    return this.#capture?.bytes ?? 0
  }

  drop(): void {
    this.#isDropped = true
    this.#document = null
    this.#capture?.drop()
  }

  /** As it stands in the JSON, escapes included; empty where there is none. */
  end(): string {
    if (this.#document === null) return this.#endCapture()
    const collecting: Collecting = { names: this.#plan.names, found: [], valuesLeft: VALUES_MAX }
    collect(this.#document, collecting, 0)
    return collecting.found.join('')
  }

  #endCapture(): string {
    if (this.#capture === null || this.#isDropped) return ''
    return this.#capture.text() + ONE_TOKEN.repeat(this.#capture.calls * this.#plan.callTokens)
  }
}

interface Collecting {
  readonly names: ReadonlySet<string>
  readonly found: string[]
  valuesLeft: number
}

function collect(value: unknown, collecting: Collecting, depth: number): void {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
  if (Array.isArray(value)) {
    for (const element of value) {
      if (--collecting.valuesLeft < 0) return
      collect(element, collecting, depth + 1)
    }
    return
  }
  for (const name in value) {
    if (--collecting.valuesLeft < 0) return
    const member = (value as JsonObject)[name]
    if (typeof member !== 'string') collect(member, collecting, depth + 1)
    else if (collecting.names.has(name)) collecting.found.push(JSON.stringify(member).slice(1, -1))
  }
}
