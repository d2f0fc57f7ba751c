// What a body's content type says it is. Must stay true: only JSON in UTF-8, or no type at all, is
// read as JSON, since a server that believes another type would read something else.

import { parseHeaderParameters } from '../../wire/http/header-parameters.ts'
import type { HeaderParameters } from '../../wire/http/header-parameters.ts'
import { parseBoundary } from '../../wire/http/multipart-form.ts'
import type { RequestView } from '../provider.ts'

export type BodyKind = 'json' | 'form' | 'json-or-form'

/** refused: the type does not fit, and why. */
export type BodyType =
  | { readonly kind: 'json' }
  | { readonly kind: 'form'; readonly boundary: string }
  | { readonly kind: 'refused'; readonly reason: string }

const JSON_TYPE = /^application\/(?:[!#$&\-^_.+0-9a-z]+\+)?json$/
const CHARSETS = ['utf-8', 'utf8']

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
  if (type !== null && !isUtf8Type(type)) return refuse('its body is not in UTF-8')
  return { kind: 'json' }
}

function isCoded(request: RequestView): boolean {
  return request.headers('content-encoding').some((value) => !/^(?:[ \t,]|identity)*$/i.test(value))
}

export function isJsonType(type: HeaderParameters): boolean {
  return JSON_TYPE.test(type.value)
}

export function isUtf8Type(type: HeaderParameters): boolean {
  const charset = type.parameters.get('charset')
  return charset === undefined || CHARSETS.includes(charset.toLowerCase())
}

function refuse(reason: string): BodyType {
  return { kind: 'refused', reason }
}
