// The teams, as commands need them.

import type { TeamPage, TeamRow } from '../../../client/weir-client.js'
import type { Api, Noun } from '../api.ts'

export const TEAM: Noun = { noun: 'team', list: 'weir teams list' }

const PAGE_ROWS = 1000

/** All of them, by name. */
export async function readTeams(api: Api, status?: string): Promise<readonly TeamRow[]> {
  const rows: TeamRow[] = []
  let cursor: string | null = null
  do {
    const query = { status, limit: PAGE_ROWS, cursor: cursor ?? undefined }
    const page: TeamPage = await api.get('/v1/teams', query)
    rows.push(...page.rows)
    cursor = page.next_cursor
  } while (cursor !== null)
  return rows
}
