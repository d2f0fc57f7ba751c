// What a row of session_rollup has beside its figures: from when to when, and what the tool said of
// itself with the call that ended last. Must stay true: rows are merged to the same in any order.

import type { ColumnType } from '../../sql/sql.ts'
import type { SessionAbout } from '../session-sums.ts'

const KINDS = {
  first_at: 'bigint',
  last_at: 'bigint',
  tool: 'text',
  tool_version: 'text',
  repository: 'text',
} as const satisfies Readonly<Record<string, ColumnType>>

export const ABOUT_KINDS: Readonly<Record<string, ColumnType>> = KINDS
export const ABOUT_COLUMNS: readonly string[] = Object.keys(KINDS)

type AboutRow = readonly [number, number, string, string, string]

/** In the order of ABOUT_COLUMNS. */
export function toAboutColumns(about: SessionAbout): AboutRow {
  const { firstAt, lastAt, tool, toolVersion, repository } = about
  return [firstAt, lastAt, tool, toolVersion, repository]
}

export function fromAboutColumns(values: readonly unknown[]): SessionAbout {
  const [firstAt, lastAt, tool, toolVersion, repository] = values as unknown as AboutRow
  return { firstAt, lastAt, tool, toolVersion, repository }
}

const [FIRST = '', ...LAST] = ABOUT_COLUMNS

/** For `ON CONFLICT … DO UPDATE SET`, as mergeAbout. */
export const MERGE_ABOUT: string = [
  `${FIRST} = CASE WHEN excluded.${FIRST} < session_rollup.${FIRST}
    THEN excluded.${FIRST} ELSE session_rollup.${FIRST} END`,
  ...LAST.map(
    (column) => `${column} = CASE WHEN (${listOf('excluded')}) > (${listOf('session_rollup')})
      THEN excluded.${column} ELSE session_rollup.${column} END`,
  ),
].join(', ')

function listOf(table: string): string {
  return LAST.map((column) => `${table}.${column}`).join(', ')
}
