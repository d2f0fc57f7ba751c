// The routes of a remote Weir. Must stay true: the token goes there alone, and into no error.

import { ask, toConnection, toReader } from '../../client/connection.js'
import type { Connection } from '../../client/connection.js'
import { API_ERROR_CODES, WeirApiError } from '../../client/weir-client.js'
import { WeirError } from '../core/weir-error.ts'
import type { WeirErrorCode } from '../core/weir-error.ts'
import { UsageError } from './command.ts'
import type { RouteNotes, Routes } from './routes.ts'
import { toWholeLines } from './whole-lines.ts'

export interface RemoteOptions extends RouteNotes {
  readonly url: string
  readonly token: string
  /** For one answer, with what is waited for the rate limit. */
  readonly timeoutMs?: number
  /** Of work that may take minutes: what to do where it is not done by then. */
  readonly longHint?: string | undefined
}

const TIMEOUT_MS = 120_000
/** Node's fetch gives up a little later. */
const LONG_TIMEOUT_MS = 290_000
/** The longest wait that a token's rate limit can ask for. */
const WAIT_MAX_MS = 60_000
const TOO_MANY = 429
const SILENT_NODES_HEADER = 'Weir-Silent-Nodes'

const ADDRESS_HINT = 'Give the URL of its API, as weir start prints it: --url http://127.0.0.1:7071'
const CERTIFICATE_HINT =
  'Name the file of its authority in NODE_EXTRA_CA_CERTS, and use a host that its certificate names.'
const TOKEN_HINT = 'Is WEIR_TOKEN right? It must be a token that was created on the remote Weir.'

const HINTS: Readonly<Partial<Record<WeirApiError['code'], string>>> = {
  unauthorized: TOKEN_HINT,
  scope_denied:
    'Create a token with that scope on the remote Weir: weir tokens create --name me --scope …',
  rate_limited: 'Try again later; every request counts.',
  unreachable: ADDRESS_HINT,
  unexpected_answer: ADDRESS_HINT,
}

export function openRemoteRoutes(options: RemoteOptions): Routes {
  const { url, longHint } = options
  const { timeoutMs = longHint === undefined ? TIMEOUT_MS : LONG_TIMEOUT_MS } = options
  let headers = new Headers()
  const connection = connect(options, (response) => ({ headers } = response))
  const translate = (error: unknown): never => {
    throw toWeirError(error, url)
  }
  return {
    ask(route, { query = {}, body }) {
      const [method, path = ''] = route.split(' ')
      const signal = AbortSignal.timeout(timeoutMs)
      const answer = ask(connection, { method, path, query, body, signal })
      return answer.catch((error: unknown) => {
        if (!signal.aborted) return translate(error)
        throw new WeirError('upstream_timeout', `${url} took more than ${timeoutMs / 1000} s.`, {
          hint: longHint ?? 'Try again later, or ask for less.',
        })
      })
    },
    async readFile(path, query) {
      const body = await ask(connection, { path, query, take: toReader(path) }).catch(translate)
      return { headers, lines: untilCutOff(toWholeLines(body)) }
    },
    close: () => Promise.resolve(),
  }
}

function connect(
  { url, token, onSilentNodes, onWait }: RemoteOptions,
  onResponse: (response: Response) => void,
): Connection {
  const send: typeof fetch = async (address, init) => {
    const response = await fetch(address, { ...init, redirect: 'error' })
    onResponse(response)
    const { status, headers } = response
    if (status === TOO_MANY) onWait(Number(headers.get('retry-after')))
    const silent = headers.get(SILENT_NODES_HEADER)
    if (silent !== null) onSilentNodes(silent)
    return response
  }
  try {
    return toConnection({ url, token, fetch: send, waitMaxMs: WAIT_MAX_MS })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The message begins with the setting that is wrong.
    throw error.message.startsWith('token')
      ? new WeirError('invalid_argument', `WEIR_TOKEN: ${error.message}.`, { hint: TOKEN_HINT })
      : new UsageError(`--url: ${error.message}.`, ADDRESS_HINT)
  }
}

function toWeirError(error: unknown, url: string): unknown {
  if (!(error instanceof WeirApiError)) return error
  const { code, message } = error
  // Another version may know other codes.
  const known = API_ERROR_CODES.find((each) => each === code) as WeirErrorCode | undefined
  const isDistrusted = code === 'unreachable' && /certificate/i.test(message)
  const hint = isDistrusted ? CERTIFICATE_HINT : (HINTS[code] ?? `This is the answer of ${url}.`)
  return new WeirError(known ?? 'upstream_unreachable', message, { hint })
}

async function* untilCutOff(lines: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* lines
  } catch (cause) {
    // fetch throws a TypeError where a transfer is cut off.
    if (!(cause instanceof TypeError)) throw cause
    throw new WeirError('upstream_unreachable', 'The transfer was cut off.', {
      hint: 'Try again; the log of the remote Weir says why.',
      cause,
    })
  }
}
