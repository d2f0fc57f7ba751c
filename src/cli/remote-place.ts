// Where a reading command reads: the data directory of this machine, or the API of a remote Weir.
// Must stay true: a command prints the same from both, so it shows the API's own rows.

import type { WeirClient } from '../../client/weir-client.js'
import { readAccessToken, readRemoteUrl } from '../config/config.ts'
import type { TokenScope } from '../core/api-key.ts'
import { refused, textOption } from './command.ts'
import type { CommandInput, CommandOption } from './command.ts'
import { toPrintable } from './printable.ts'
import { createRemoteClient, toRemoteError } from './usage/remote-api.ts'

export const URL_OPTION: Readonly<Record<'url', CommandOption>> = {
  url: {
    type: 'string',
    value: 'URL',
    about: 'ask the API of a remote Weir (default: WEIR_URL), with the token in WEIR_TOKEN',
  },
}

export interface RemotePlace {
  readonly url: string
  readonly token: string
  /** Gets what the API says in its header of silent nodes. */
  readonly onSilentNodes: (named: string) => void
}

/** Null for the data directory. The scopes are those that a new token needs. */
export function findRemote(input: CommandInput, scopes: string): RemotePlace | null {
  const url = textOption(input, 'url') ?? readRemoteUrl()
  if (url === null) return null
  const token = readAccessToken()
  if (token !== null) return { url, token, onSilentNodes: createSilentNote(input) }
  throw refused(
    'A remote Weir needs an access token in WEIR_TOKEN.',
    `Create one there: weir tokens create --name me --scope ${scopes}`,
  )
}

/** To stderr, once for all answers that a command needs. */
function createSilentNote({ err }: CommandInput): (named: string) => void {
  let noted: string | null = null
  return (named) => {
    if (named === noted) return
    noted = named
    err(`Figures may miss calls of nodes that are silent: ${toPrintable(named)}.`)
  }
}

export interface Places<Result> {
  readonly scope: TokenScope
  readonly here: () => Promise<Result>
  readonly there: (client: WeirClient) => Promise<Result>
}

export async function readFrom<Result>(
  input: CommandInput,
  { scope, here, there }: Places<Result>,
): Promise<Result> {
  const remote = findRemote(input, scope)
  if (remote === null) return here()
  const client = createRemoteClient(remote)
  try {
    return await there(client)
  } catch (error) {
    throw toRemoteError(error, remote.url)
  }
}
