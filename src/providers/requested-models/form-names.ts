// Finds every model that a form names: in a field, or in JSON inside a field. Must stay true: a
// field that names a model comes once, under its exact name, as plain text; the rest is content.

import { isAscii } from 'node:buffer'
import type { Buffer } from 'node:buffer'
import { parseHeaderParameters } from '../../wire/http/header-parameters.ts'
import { createMultipartForm } from '../../wire/http/multipart-form.ts'
import type { FormPart, FormPartHead, MultipartForm } from '../../wire/http/multipart-form.ts'
import type { FoundNames } from './found-names.ts'
import { charsetOf, isJsonType } from './body-type.ts'
import { JsonNames } from './json-names.ts'
import { OWN } from './name-words.ts'
import type { NameWords } from './name-words.ts'

type FieldKind = 'naming' | 'hiding' | 'json' | 'odd' | 'content'

/** A name that looks like a list or an object may be read as one. */
const STRUCTURED = /[\s,"'{}[\]]/

export class FormNames {
  readonly #words: NameWords
  readonly #found: FoundNames
  readonly #form: MultipartForm

  constructor(boundary: string, words: NameWords, found: FoundNames) {
    this.#words = words
    this.#found = found
    this.#form = createMultipartForm({
      boundary,
      isKept: (part) => kindOf(part, words) !== 'content',
    })
  }

  feed(bytes: Uint8Array): void {
    this.#form.feed(bytes)
  }

  end(): void {
    const result = this.#form.end()
    if (result.kind === 'refused') {
      this.#found.refuse(result.fault)
      return
    }
    const seen = new Set<string>()
    for (const part of result.parts) {
      const kind = kindOf(part, this.#words)
      if (kind === 'content' || (this.#found.isOwnIgnored && part.name === OWN)) continue
      if (seen.has(part.name)) this.#found.refuse('its form has a field twice that names a model')
      seen.add(part.name)
      this.#readField(part, kind)
    }
  }

  #readField(part: FormPart, kind: Exclude<FieldKind, 'content'>): void {
    const content = part.content as Buffer
    if (kind === 'odd') {
      this.#found.refuse('a field of its form is written almost like one that names a model')
    } else if (kind === 'hiding') {
      this.#found.refuse(`\`${part.name}\` hides the model`)
    } else if (part.hasFilename || !hasPlainType(part, kind)) {
      this.#found.refuse(`the field \`${part.name.slice(0, 40)}\` of its form is not plain text`)
    } else if (kind === 'json') {
      const json = new JsonNames(this.#words, this.#found)
      json.feed(content)
      if (this.#words.known.has(part.name)) json.endAs(part.name)
      else json.end()
    } else {
      const name = content.toString('latin1')
      if (STRUCTURED.test(name))
        this.#found.refuse(`the field \`${part.name}\` is not one model's name`)
      else if (this.#words.own.has(part.name)) this.#found.addOwn(name)
      else this.#found.add(name)
    }
  }
}

function kindOf(part: FormPartHead, words: NameWords): FieldKind {
  const { name } = part
  if (words.naming.has(name)) return 'naming'
  if (words.hiding.has(name)) return 'hiding'
  // In a form, a prompt can only be text.
  if (words.content.has(name) || words.listedContent.has(name)) return 'content'
  if (words.known.has(name)) return 'json'
  if (isOdd(name, words)) return 'odd'
  if (words.endsInName(name)) return 'naming'
  const type = part.contentType === null ? null : parseHeaderParameters(part.contentType)
  return type !== null && isJsonType(type) && !part.hasFilename ? 'json' : 'content'
}

/** `Model`, `model[]`, `session[model]`, `%6dodel`; and the field that sets all others' charset. */
function isOdd(name: string, words: NameWords): boolean {
  const parts = decodeName(name).split(/[[\].]/)
  if (name === '_charset_') return true
  if (words.content.has(parts[0] as string)) return false
  return parts.some((part) => {
    const word = part.trim()
    return words.known.has(word) || words.isAlmostKnown(word)
  })
}

function decodeName(name: string): string {
  return name.replaceAll(/%([0-9a-fA-F]{2})/g, (_code, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  )
}

function hasPlainType(part: FormPart, kind: 'naming' | 'json'): boolean {
  if (part.contentType === null) return true
  const type = parseHeaderParameters(part.contentType)
  const charset = type === null ? 'other' : charsetOf(type)
  if (type === null || charset === 'other') return false
  if (charset === 'ascii' && !isAscii(part.content as Buffer)) return false
  return type.value === 'text/plain' || (kind === 'json' && isJsonType(type))
}
