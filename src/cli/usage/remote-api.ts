// The client of a remote Weir. Must stay true: the token goes there alone, and into no error.

import { createWeirClient, WeirApiError } from '../../../client/weir-client.js'
import type { WeirClient } from '../../../client/weir-client.js'
import { API_ERROR_CODES } from '../../api/contract.ts'
import { SILENT_NODES_HEADER } from '../../api/service/silent-nodes.ts'
import { WeirError } from '../../core/weir-error.ts'
import { UsageError } from '../command.ts'

export interface RemoteOptions {
  readonly url: string
  readonly token: string
  readonly signal?: AbortSignal
  /** Runs before the response's body is read. */
  readonly onResponse?: (response: Response) => void
  /** Runs for each answer that may miss calls of nodes, with how the API names them. */
  readonly onSilentNodes?: (named: string) => void
}

export type RemoteHints = Readonly<Partial<Record<WeirApiError['code'], string>>>

/** The longest wait that a token's rate limit can ask for. */
const WAIT_MAX_MS = 60_000

const ADDRESS_HINT = 'Give the URL of its API, as weir start prints it: --url http://127.0.0.1:7071'
const CERTIFICATE_HINT =
  'Name the file of its authority in NODE_EXTRA_CA_CERTS, and use a host that its certificate names.'
const TOKEN_HINT = 'Is WEIR_TOKEN right? It must be a token that was created on the remote Weir.'

const HINTS: RemoteHints = {
  unauthorized: TOKEN_HINT,
  scope_denied:
    'Create a token with that scope on the remote Weir: weir tokens create --name me --scope …',
  rate_limited: 'Try again later; every request counts.',
  unreachable: ADDRESS_HINT,
  unexpected_answer: ADDRESS_HINT,
}

export function createRemoteClient(options: RemoteOptions): WeirClient {
  const { url, token, signal, onResponse, onSilentNodes } = options
  const ask: typeof fetch = async (address, init) => {
    const response = await fetch(address, { ...init, redirect: 'error' })
    onResponse?.(response)
    const silent = response.headers.get(SILENT_NODES_HEADER)
    if (silent !== null) onSilentNodes?.(silent)
    return response
  }
  try {
    return createWeirClient({ url, token, signal, fetch: ask, waitMaxMs: WAIT_MAX_MS })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    // The message begins with the setting that is wrong.
    throw error.message.startsWith('token')
      ? new WeirError('invalid_argument', `WEIR_TOKEN: ${error.message}.`, { hint: TOKEN_HINT })
      : new UsageError(`--url: ${error.message}.`, ADDRESS_HINT)
  }
}

/** `hints` take precedence over the general ones. */
export function toRemoteError(error: unknown, url: string, hints: RemoteHints = {}): unknown {
  if (!(error instanceof WeirApiError)) return error
  const { code, message } = error
  // Another version may know other codes.
  const known = API_ERROR_CODES.find((each) => each === code)
  const isDistrusted = code === 'unreachable' && /certificate/i.test(message)
  const found = isDistrusted ? CERTIFICATE_HINT : (hints[code] ?? HINTS[code])
  const hint = found ?? `This is the answer of ${url}.`
  return new WeirError(known ?? 'upstream_unreachable', message, { hint })
}
