// A connection to Weir's API, for the client and for Weir's own command line. Must stay true: no error carries the
// token or a request, and nothing is asked twice unless Weir said when to come back.

const WAIT_MAX_MS = 120_000
/** The longest that a timer can wait; a longer one would go off at once. */
const TIMER_MAX_MS = 2 ** 31 - 1
const SECOND_MS = 1000
const TOO_MANY = 429

export class WeirApiError extends Error {
  constructor(message, { status = null, code, retryAfterSeconds = null }) {
    super(message)
    this.name = 'WeirApiError'
    this.status = status
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Throws a TypeError for what cannot be an address or a token. */
export function toConnection({ url, token, fetch = globalThis.fetch, ...options }) {
  const { signal, waitOnRateLimit = true, waitMaxMs = WAIT_MAX_MS } = options
  // A header that cannot be sent would be quoted in the error that says so.
  if (typeof token !== 'string' || !/^[!-~]+$/.test(token)) {
    throw new TypeError('token must be an access token of Weir, svc_agt_…')
  }
  return {
    base: toBase(url),
    headers: {
      accept: 'application/json, text/csv, application/jsonl',
      authorization: `Bearer ${token}`,
    },
    fetch,
    signal,
    waitMaxMs: waitOnRateLimit ? waitMaxMs : 0,
    // What others write, a server or a fetch of the caller's, may repeat what they were sent.
    hide: (text) => String(text).replaceAll(token, '…'),
  }
}

function toBase(url) {
  const wanted = 'url must be the address of a Weir, such as http://127.0.0.1:7071'
  let parsed
  try {
    parsed = new URL(url)
  } catch {
    throw new TypeError(wanted)
  }
  const { protocol, username, password, search, hash, origin, pathname } = parsed
  if (!/^https?:$/.test(protocol)) throw new TypeError(wanted)
  if (username + password + search + hash !== '') {
    throw new TypeError(`${wanted}, without a user, a query or a fragment`)
  }
  return origin + pathname.replace(/\/+$/, '')
}

/** `take` makes the answer of a response that is one. A body makes it a POST unless `method` says otherwise. */
export async function ask(connection, { method, path, query = {}, body, signal, take = readJson }) {
  const joined = joinSignals([connection.signal, signal].filter(Boolean))
  const request = { address: `${path}${toSearch(query)}`, method, body }
  try {
    const response = await sendPatiently(connection, request, joined)
    return await take(response, connection)
  } catch (error) {
    // The caller's own signal, and what we made ourselves, go on as they are.
    if (joined?.aborted || error instanceof WeirApiError) throw error
    // Not as its cause: nobody knows what another fetch hangs on its errors.
    const reason = connection.hide(error?.cause?.message || error?.message || 'no reason was given')
    throw new WeirApiError(`Weir at ${connection.base} could not be reached: ${reason}`, {
      code: 'unreachable',
    })
  }
}

/** The response, once it is one with an answer. Waits as long as Weir says where the rate limit is reached. */
async function sendPatiently(connection, { address, method, body }, signal) {
  const { base, fetch, waitMaxMs } = connection
  const { headers, ...posted } = toSent(connection, method, body)
  for (let waitedMs = 0; ;) {
    const response = await fetch(base + address, { headers, signal, ...posted })
    if (response.ok) return response
    const error = await readError(response, connection)
    // At least a second: a 0 would have us ask without end.
    const waitMs = Math.max(1, error.retryAfterSeconds ?? 0) * SECOND_MS
    const canWait = error.retryAfterSeconds !== null && waitedMs + waitMs <= waitMaxMs
    if (error.status !== TOO_MANY || !canWait) throw error
    await pause(waitMs, signal)
    waitedMs += waitMs
  }
}

function toSent({ headers }, method, body) {
  if (body === undefined) return method === undefined ? { headers } : { headers, method }
  const typed = { ...headers, 'content-type': 'application/json' }
  return { headers: typed, method: method ?? 'POST', body: JSON.stringify(body) }
}

async function readError(response, { base, hide }) {
  const { status, headers } = response
  const retryAfter = headers.get('retry-after') ?? ''
  const retryAfterSeconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) : null
  const { error, code } = parseJson(await response.text()) ?? {}
  if (typeof error === 'string' && typeof code === 'string') {
    return new WeirApiError(hide(error), { status, code: hide(code), retryAfterSeconds })
  }
  return new WeirApiError(`${base} answered ${status}, and not in the words of Weir.`, {
    status,
    code: 'unexpected_answer',
    retryAfterSeconds,
  })
}

export async function readJson(response, connection) {
  const answer = parseJson(await response.text())
  if (answer !== undefined) return answer
  throw unexpectedAnswer(response, connection, 'JSON')
}

/** Its body, unread. Any web server may answer 200 with a page: that must not become somebody's file. */
function createFileReader(mediaType, name) {
  return async (response, connection) => {
    const { headers, body } = response
    if (mediaType.test(headers.get('content-type') ?? '') && body !== null) return body
    await body?.cancel()
    throw unexpectedAnswer(response, connection, name)
  }
}

const readCsv = createFileReader(/^text\/csv\b/i, 'CSV')
const readJsonFile = createFileReader(/^application\/json\b/i, 'JSON')
const readJsonLines = createFileReader(/^application\/jsonl\b/i, 'lines of JSON')

/** Of a file, by the ending of its path. */
export function toReader(path) {
  if (path.endsWith('.json')) return readJsonFile
  return path.endsWith('.jsonl') ? readJsonLines : readCsv
}

function unexpectedAnswer({ status }, { base }, wanted) {
  const message = `${base} answered something else than ${wanted}. Is it the address of a Weir?`
  return new WeirApiError(message, { status, code: 'unexpected_answer' })
}

/** Undefined where it is no object. */
function parseJson(text) {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

export function toSearch(query) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null)
  // A list is a parameter that is given several times.
  const pairs = given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)]))
  const search = new URLSearchParams(pairs).toString()
  return search === '' ? '' : `?${search}`
}

function joinSignals(signals) {
  if (signals.length < 2) return signals[0]
  if (AbortSignal.any !== undefined) return AbortSignal.any(signals)
  const controller = new AbortController()
  for (const signal of signals) {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true, signal: controller.signal })
  }
  return controller.signal
}

function pause(waitMs, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason)
      return
    }
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', abort)
        resolve()
      },
      Math.min(waitMs, TIMER_MAX_MS),
    )
    signal?.addEventListener('abort', abort, { once: true })
  })
}
