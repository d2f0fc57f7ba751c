// The models that a request names before its body: in headers, query or path. Must stay true: a
// header or parameter that two servers could read differently refuses the request.

import { HIDING_HEADERS, NAMING_HEADERS } from '../../wire/http/model-headers.ts'
import type { RequestView } from '../provider.ts'
import type { FoundNames } from './found-names.ts'
import { foldCase } from './name-words.ts'

const NAMING_PARAMETERS = new Set([
  'model',
  'models',
  'model_id',
  'modelId',
  'deployment',
  ...NAMING_HEADERS,
])
const FOLDED_PARAMETERS = new Set([...NAMING_PARAMETERS].map(foldCase))

/** Names from the path; null where an id there hides the model. */
export type FromHead = (request: RequestView) => readonly string[] | null

export function readHeadNames(
  request: RequestView,
  fromHead: FromHead | undefined,
  found: FoundNames,
): void {
  for (const header of NAMING_HEADERS) {
    const values = request.headers(header)
    if (values.length > 1 || values[0]?.includes(',') === true) {
      found.refuse(`\`${header}\` names more than one model`)
    }
    for (const value of values) found.add(value)
  }
  const hiding = HIDING_HEADERS.find((header) => request.header(header) !== null)
  if (hiding !== undefined) found.refuse(`the header ${hiding} hides the model, so leave it out`)
  readQuery(request.query, found)
  const names = fromHead === undefined ? [] : fromHead(request)
  if (names === null) found.refuse('an id in its path hides the model')
  else for (const name of names) found.addOwn(name)
}

function readQuery(query: string, found: FoundNames): void {
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const key = decode(equals === -1 ? pair : pair.slice(0, equals))
    const value = decode(equals === -1 ? '' : pair.slice(equals + 1))
    if (key === null) {
      found.refuse('its query cannot be read with certainty')
    } else if (NAMING_PARAMETERS.has(key) && !pair.includes(';')) {
      if (value === null) found.refuse('its query cannot be read with certainty')
      else found.add(value)
    } else if (hasNamingParameter(pair)) {
      found.refuse('a parameter of its query is written almost like one that names a model')
    }
  }
}

/** Some servers read `model[]` as a list, and a semicolon as the end of a parameter. */
function hasNamingParameter(pair: string): boolean {
  const keys = pair.split(';').map((each) => decode(each.split('=', 1)[0] as string) ?? '')
  return keys.some((key) =>
    key.split(/[[\].]/).some((part) => FOLDED_PARAMETERS.has(foldCase(part.trim()))),
  )
}

/** Decoded once; null where it does not decode. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
