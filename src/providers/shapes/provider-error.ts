// Why a provider refused or failed a call: its own code, from the places where APIs have one. Must
// stay true: only a short token is taken, never a text, which may quote the prompt.

import type { JsonShape } from '../../wire/json/json-members.ts'
import { NO_READING } from '../provider.ts'
import type { ResponseView, UsageReader } from '../provider.ts'
import { createBodyDocuments } from './body-documents.ts'
import type { JsonObject } from './json-leaves.ts'
import { toList, toObject } from './json-leaves.ts'

/** Codes are words; so long a run of letters and digits would be a key that an answer repeats. */
const TOKEN = /^(?!.*[A-Za-z0-9]{33})[A-Za-z0-9_.:-]{1,64}$/
const ERROR_MEMBERS: JsonShape = { code: true, status: true, type: true, errorType: true }
/** AWS's, in front of an address. */
const AMAZON_HEADER = 'x-amzn-errortype'

/** Of an answer whose head says success. Null where it has no error, or none with a code. */
export function findErrorCode(document: JsonObject): string | null {
  const response = toObject(document['response'])
  const nested =
    document['error'] ??
    document['last_error'] ??
    response?.['error'] ??
    toObject(response?.['status_details'])?.['error'] ??
    toObject(toList(document['choices'])[0])?.['error']
  const error = toObject(nested)
  if (error !== null) return codeOf(error)
  const { type, __type: amazonType } = document
  const isFlat = amazonType !== undefined || (typeof type === 'string' && /\berror$/.test(type))
  return isFlat ? codeOf({ ...document, type: null }) : null
}

/** What is written with letters says more than a number, which often repeats the status. */
function codeOf(error: JsonObject): string | null {
  const { code, status, type, errorType, __type: amazonType } = error
  const name = typeof amazonType === 'string' ? amazonType.split('#').at(-1) : undefined
  const words = [code, status, type, errorType, name].filter(
    (value) => typeof value === 'string' && TOKEN.test(value) && /[A-Za-z]/.test(value),
  )
  const word = words.find((value) => value !== 'error') as string | undefined
  if (word !== undefined) return word
  const isNumber = typeof code === 'string' || Number.isSafeInteger(code)
  return isNumber && TOKEN.test(String(code)) ? String(code) : null
}

/** For an answer whose head has an error's status: it reports nothing else. */
export function createErrorReader(response: ResponseView): UsageReader {
  const [named = ''] = (response.header(AMAZON_HEADER) ?? '').split(':')
  let found = TOKEN.test(named) ? named : null
  const documents = createBodyDocuments({
    contentType: response.header('content-type'),
    framing: 'array',
    shape: { ...ERROR_MEMBERS, __type: true, error: ERROR_MEMBERS },
    needles: /error|type|code/i,
    onDocument(document) {
      found ??= findErrorCode(document) ?? codeOf(document)
    },
  })
  return {
    feed(bytes) {
      if (found === null) documents.feed(bytes)
    },
    end(isWhole) {
      documents.end(isWhole)
      return found === null ? NO_READING : { ...NO_READING, providerError: found }
    },
  }
}
