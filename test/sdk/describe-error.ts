// An SDK's error as plain data, so that two can be compared: class, status, code, message, headers,
// body and causes. Ports and times are taken out, since they differ between any two runs.

const FIELDS = [
  'status',
  'statusCode',
  'code',
  'type',
  'param',
  'requestID',
  'error',
  'data',
  'generationId',
  'isRetryable',
  'reason',
  'responseBody',
] as const

const DEPTH_MAX = 5

export function describeError(error: unknown, baseUrl = '', depth = 0): unknown {
  if (typeof error !== 'object' || error === null || depth === DEPTH_MAX) return error
  if (!isErrorLike(error)) return error
  const fields = error as unknown as Record<string, unknown>
  const inner = (value: unknown): unknown => describeError(value, baseUrl, depth + 1)
  const { cause, errors, headers = fields['responseHeaders'] } = fields
  return {
    class: error.constructor.name,
    name: error.name,
    message: baseUrl === '' ? error.message : error.message.replaceAll(baseUrl, 'base'),
    ...Object.fromEntries(
      FIELDS.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]),
    ),
    ...(headers === undefined ? {} : { headers: visibleHeaders(headers) }),
    ...(cause === undefined ? {} : { cause: inner(cause) }),
    ...(Array.isArray(errors) ? { errors: errors.map(inner) } : {}),
  }
}

/** A DOMException is an error to everyone who catches it. */
function isErrorLike(value: object): value is Error {
  return value instanceof Error || value instanceof DOMException
}

/** All but what Weir adds, what belongs to the connection, and the time. */
export function visibleHeaders(headers: unknown): Record<string, string> {
  const pairs = headers instanceof Headers ? [...headers] : Object.entries(headers ?? {})
  return Object.fromEntries(
    pairs
      .map(([name, value]): [string, string] => [name.toLowerCase(), String(value)])
      .filter(([name]) => !HIDDEN.has(name)),
  )
}

const HIDDEN = new Set(['x-svc-request-id', 'connection', 'keep-alive', 'date'])
