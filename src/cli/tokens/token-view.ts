// How an access token is shown: never its hash, and its secret only when it is created.

import type { Token } from '../../../client/weir-client.js'
import { WeirError } from '../../core/weir-error.ts'
import { toPrintable } from '../printable.ts'
import { cutCell, formatTable, formatTime } from '../table.ts'

const CELL_CHARS_MAX = 60

export function formatTokens(tokens: readonly Token[]): string {
  const rows = tokens.map((token) => [
    token.id,
    cutCell(toPrintable(token.name), CELL_CHARS_MAX),
    token.status,
    formatTime(token.created_at),
    formatTime(token.expires_at),
    formatTime(token.last_used_at),
    token.scopes.join(' '),
  ])
  return formatTable([
    ['ID', 'NAME', 'STATUS', 'CREATED', 'EXPIRES', 'LAST USED', 'SCOPES'],
    ...rows,
  ])
}

export function noSuchToken(id: string): WeirError {
  return new WeirError('not_found', `There is no access token ${id}.`, {
    hint: 'Run weir tokens list to list them.',
  })
}
