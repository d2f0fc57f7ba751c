// What a body's content type says it is. Must stay true: only JSON in UTF-8 or in plain ASCII, or
// no type at all, is read as JSON, since a server that believes another type would read something
// else.

import { parseHeaderParameters } from '../../wire/http/header-parameters.ts'
import type { HeaderParameters } from '../../wire/http/header-parameters.ts'
import { parseBoundary } from '../../wire/http/multipart-form.ts'
import type { RequestView } from '../provider.ts'

export type BodyKind = 'json' | 'form' | 'json-or-form'

/** refused: the type does not fit, and why. */
export type BodyType =
  /** isAscii: it says that it has no other characters, and then must not have any. */
  | { readonly kind: 'json'; readonly isAscii: boolean }
  | { readonly kind: 'form'; readonly boundary: string }
  | { readonly kind: 'refused'; readonly reason: string }

const JSON_TYPE = /^(?:application\/(?:[!#$&\-^_.+0-9a-z]+\+)?json|text\/json)$/
const UTF8_CHARSETS = ['utf-8', 'utf8']
/** In these, ASCII stands for itself. Their other characters readers decode in different ways. */
const ASCII_CHARSETS = ['us-ascii', 'ascii', 'iso-8859-1', 'latin1', 'windows-1252']

export function toBodyType(request: RequestView, expected: BodyKind): BodyType {
  const values = request.headers('content-type')
  const value = values[0] ?? null
  if (values.length > 1) return refuse('it has more than one content type')
  const type = value === null ? null : parseHeaderParameters(value)
  if (value !== null && type === null) return refuse('its content type cannot be read')
  if (type?.value.startsWith('multipart/')) {
    const boundary = parseBoundary(value as string)
    if (expected === 'json') return refuse('its body is a form where JSON is expected')
    // A form's first boundary may follow anything, such as a coding's bytes around another form.
    if (isCoded(request)) return refuse('its body is a form in a content coding')
    return boundary === null
      ? refuse('its form has no certain boundary')
      : { kind: 'form', boundary }
  }
  if (expected === 'form') return refuse('its body is not a form')
  if (type !== null && !isJsonType(type)) return refuse('its content type is not JSON')
  const charset = type === null ? 'utf-8' : charsetOf(type)
  if (charset === 'other') return refuse('its body is not in UTF-8')
  return { kind: 'json', isAscii: charset === 'ascii' }
}

function isCoded(request: RequestView): boolean {
  return request.headers('content-encoding').some((value) => !/^(?:[ \t,]|identity)*$/i.test(value))
}

export function isJsonType(type: HeaderParameters): boolean {
  return JSON_TYPE.test(type.value)
}

/** `ascii` where the bytes have to be checked for it. */
export function charsetOf(type: HeaderParameters): 'utf-8' | 'ascii' | 'other' {
  const charset = type.parameters.get('charset')?.toLowerCase()
  if (charset === undefined || UTF8_CHARSETS.includes(charset)) return 'utf-8'
  return ASCII_CHARSETS.includes(charset) ? 'ascii' : 'other'
}

function refuse(reason: string): BodyType {
  return { kind: 'refused', reason }
}
