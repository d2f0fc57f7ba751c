// Takes a credential out of an answer's head, however it is encoded: an upstream may repeat what it
// was sent. Must stay true: a head without it is searched, never copied or changed.

import type { LineChange } from './forwarded-headers.ts'
import type { HeaderLines } from './header-lines.ts'

/** Shorter ones would be found by chance, and are no secrets. */
const CHARACTERS_MIN = 8
/** Escapes of escapes that are undone. */
const ESCAPES_MAX = 4
/** Of a worker: rules can choose another credential for each key. */
const GUARDS_MAX = 256

const NONE: readonly never[] = []
const PERCENT = 0x25

/** A worker's guards, by credential: making one costs more than a call's search. */
export class CredentialGuards {
  readonly #byCredential = new Map<string, CredentialGuard>()

  of(credential: string): CredentialGuard {
    const known = this.#byCredential.get(credential)
    if (known !== undefined) return known
    if (this.#byCredential.size >= GUARDS_MAX) this.#byCredential.clear()
    const guard = new CredentialGuard(credential)
    this.#byCredential.set(credential, guard)
    return guard
  }
}

export class CredentialGuard {
  readonly #credential: string
  readonly #forms: readonly string[]
  readonly #needles: readonly Buffer[]
  #escaped: RegExp | null = null

  constructor(credential: string) {
    this.#credential = credential
    this.#forms = credential.length < CHARACTERS_MIN ? NONE : toForms(credential)
    this.#needles = this.#forms.map((form) => Buffer.from(form, 'latin1'))
  }

  /** What has to change in a head, in the order of its bytes. */
  clean(lines: HeaderLines): readonly LineChange[] {
    const head = lines.bytes.subarray(lines.headStart, lines.end)
    const isClean = !this.#needles.some((needle) => head.includes(needle))
    if (isClean && (!head.includes(PERCENT) || !this.isIn(head.toString('latin1')))) return NONE
    const changes: LineChange[] = []
    const clean = (line: number, start: number, end: number): void => {
      const text = lines.bytes.toString('latin1', start, end)
      if (this.isIn(text)) changes.push({ line, start, end, text: this.#takeOut(text) })
    }
    // The reason stands behind the version and the three digits of the status.
    clean(-1, lines.headStart + 'HTTP/1.1 200 '.length, lines.start - 2)
    for (let line = 0; line < lines.count; line++) {
      const value = lines.valueStartOf(line)
      const isInName = this.isIn(lines.bytes.toString('latin1', lines.startOf(line), value))
      if (isInName) {
        changes.push({ line, start: lines.startOf(line), end: lines.nextOf(line), text: '' })
      } else {
        clean(line, value, lines.valueEndOf(line))
      }
    }
    return changes
  }

  isIn(text: string): boolean {
    let plain = text
    for (let undone = 0; undone <= ESCAPES_MAX; undone++) {
      const shown = plain
      if (this.#forms.some((form) => shown.includes(form))) return true
      plain = shown.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      if (plain === shown) return false
    }
    return false
  }

  /** The rest stays where it stands alone, as in an address; else nothing of the text does. */
  #takeOut(text: string): string {
    this.#escaped ??= new RegExp(Array.from(this.#credential, toEscapable).join(''), 'g')
    const rest = text.replaceAll(this.#escaped, '')
    return this.isIn(rest) ? '' : rest
  }
}

function toEscapable(character: string): string {
  const hex = character.charCodeAt(0).toString(16)
  const anyCase = hex.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`)
  return `(?:${RegExp.escape(character)}|%(?:25)*${anyCase})`
}

/** Plain, in hexadecimal digits, and what is certain of it in base64, in both alphabets. */
function toForms(credential: string): readonly string[] {
  const bytes = Buffer.from(credential, 'latin1')
  const hex = bytes.toString('hex')
  // What stands in front of it, such as a user's name, shifts it by a byte or two.
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    const wholeDigits = Math.floor(((shift + bytes.length) * 8) / 6)
    return encoded.slice(Math.ceil((shift * 8) / 6), wholeDigits)
  })
  const urls = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [...new Set([credential, hex, hex.toUpperCase(), ...base64, ...urls])]
}
