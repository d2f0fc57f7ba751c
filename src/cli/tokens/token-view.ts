// How an access token is shown: never its hash, and its secret only when it is created.

import { statusOf } from '../../core/api-key.ts'
import type { AccessToken } from '../../core/api-key.ts'
import { WeirError } from '../../core/weir-error.ts'
import { cutCell, formatMoment, formatTable } from '../table.ts'

const CELL_CHARS_MAX = 60

export function formatTokens(tokens: readonly AccessToken[], nowMs: number): string {
  const rows = tokens.map((token) => [
    token.id,
    cutCell(token.name, CELL_CHARS_MAX),
    statusOf(token, nowMs),
    formatMoment(token.createdAt),
    formatMoment(token.expiresAt),
    formatMoment(token.lastUsedAt),
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
