// The client of Weir's API: Node 18 and newer, Deno, Bun, browsers. It needs nothing but fetch; its types are
// generated (scripts/generate-client.ts). Must stay true: no error carries the token or a request, and nothing is
// asked twice unless Weir said when to come back.

import { PATHS } from './contract.js'

export { API_ERROR_CODES, CATALOGUE } from './contract.js'

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

export function createWeirClient(options) {
  const connection = toConnection(options)
  const read = (path, query, settings = {}) =>
    ask(connection, { path, query, signal: settings.signal, take: readJson })
  const stream = (path, query, settings = {}) =>
    ask(connection, { path, query, signal: settings.signal, take: toReader(path) })
  const requests = (query = {}, settings = {}) => read(PATHS.requests, query, settings)

  async function* allRequests(query = {}, settings = {}) {
    let { cursor } = query
    do {
      const page = await requests({ ...query, cursor }, settings)
      yield* page.rows
      // Only null is the end: a page without rows may have a next one.
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }

  const toPath = (path, id) => path.replace('{id}', () => encodeURIComponent(id))
  const readOne = (path, id, settings) => read(toPath(path, id), {}, settings)

  return {
    usage: (query, settings) => read(PATHS.usage, query, settings),
    breakdown: (query, settings) => read(PATHS.breakdown, query, settings),
    analysis: (query = {}, settings = {}) => read(PATHS.analysis, query, settings),
    overview: (query = {}, settings = {}) => read(PATHS.overview, query, settings),
    requests,
    allRequests,
    requestSummary: (query = {}, settings = {}) => read(PATHS.requestSummary, query, settings),
    request: (id, settings) => readOne(PATHS.request, id, settings),
    completeness: (settings) => read(PATHS.completeness, {}, settings),
    views: (settings) => read(PATHS.views, {}, settings),
    budgets: (settings) => read(PATHS.budgets, {}, settings),
    budget: (id, settings) => readOne(PATHS.budget, id, settings),
    budgetPeriods: (id, query = {}, settings = {}) =>
      read(toPath(PATHS.budgetPeriods, id), query, settings),
    alerts: (query = {}, settings = {}) => read(PATHS.alerts, query, settings),
    incidents: (settings) => read(PATHS.incidents, {}, settings),
    targets: (settings) => read(PATHS.targets, {}, settings),
    keys: (query = {}, settings = {}) => read(PATHS.keys, query, settings),
    key: (id, settings) => readOne(PATHS.key, id, settings),
    checkKey: (question, settings = {}) =>
      ask(connection, {
        path: PATHS.checkKey,
        query: {},
        body: question,
        signal: settings.signal,
        take: readJson,
      }),
    tokens: (settings) => read(PATHS.tokens, {}, settings),
    users: (settings) => read(PATHS.users, {}, settings),
    prices: (query = {}, settings = {}) => read(PATHS.prices, query, settings),
    priceHistory: (query, settings) => read(PATHS.priceHistory, query, settings),
    priceRules: (settings) => read(PATHS.priceRules, {}, settings),
    missingPrices: (settings) => read(PATHS.missingPrices, {}, settings),
    info: (settings) => read(PATHS.info, {}, settings),
    exportUsage: (query, settings) => stream(PATHS.exportUsage, query, settings),
    exportFocus: (query, settings) => stream(PATHS.exportFocus, query, settings),
    exportRequests: (query = {}, settings = {}) => stream(PATHS.exportRequests, query, settings),
    exportRequestLines: (query = {}, settings = {}) =>
      stream(PATHS.exportRequestLines, query, settings),
  }
}

function toConnection({ url, token, fetch = globalThis.fetch, ...options }) {
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

async function ask(connection, { path, query, body, signal, take }) {
  const joined = joinSignals([connection.signal, signal].filter(Boolean))
  const request = { address: `${path}${toSearch(query)}`, body }
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
async function sendPatiently(connection, { address, body }, signal) {
  const { base, fetch, waitMaxMs } = connection
  const { headers, ...posted } = toSent(connection, body)
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

/** A body makes it a POST. */
function toSent({ headers }, body) {
  if (body === undefined) return { headers }
  const typed = { ...headers, 'content-type': 'application/json' }
  return { headers: typed, method: 'POST', body: JSON.stringify(body) }
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

async function readJson(response, connection) {
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
const readJsonLines = createFileReader(/^application\/jsonl\b/i, 'lines of JSON')

function toReader(path) {
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

function toSearch(query) {
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
