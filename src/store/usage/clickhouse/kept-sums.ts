// Which rows of `month_sums` count, and which calls they are the sums of: the text that the ledger
// database keeps. Rows are written once, under the number of their generation, and never changed.

import { PERSON_FACT, TEAM_FACT } from '../../../core/teams/team.ts'
import type { CallBatches, CountedBatches } from '../../ledger/call-batches.ts'
import type { Sql } from '../../sql/sql.ts'
import type { ClickhouseDatabase } from '../../clickhouse/database.ts'
import type { AnalysisQuestion } from '../analysis.ts'

export interface Generation {
  readonly number: number
  readonly rows: number
  /** It has a dimension that is left out by now: it is to be written again. */
  readonly isWide: boolean
}

export interface KeptSums {
  /** Calls of the batches that counted at that moment are in the sums, and no others. */
  readonly of: CountedBatches
  /** Oldest first. */
  readonly generations: readonly Generation[]
  /** Calls that ended before it may be missing: they were removed before they were summed. */
  readonly fromMs: number
  /** Dimensions that have too many values to be summed by; null where none is summed by. */
  readonly leftOut: readonly string[] | null
}

export async function readKeptSums(
  callBatches: Pick<CallBatches, 'readSums'>,
  sql: Sql,
): Promise<KeptSums | null> {
  return parseKeptSums(await callBatches.readSums(sql))
}

export function parseKeptSums(text: string | null): KeptSums | null {
  return text === null ? null : (JSON.parse(text) as KeptSums)
}

export function hasFields(
  { leftOut }: KeptSums,
  { groupBy, filters, sight }: Pick<AnalysisQuestion, 'groupBy' | 'filters' | 'sight'>,
): boolean {
  const facts = sight === undefined ? [] : [`dim:${TEAM_FACT}`, `dim:${PERSON_FACT}`]
  return [...groupBy, ...filters.map(({ field }) => field), ...facts]
    .filter((field) => field.startsWith('dim:'))
    .every((field) => leftOut !== null && !leftOut.includes(field.slice('dim:'.length)))
}

/** A condition on `generation`. */
export function isCounting({ generations }: KeptSums): string {
  return `generation IN (${generations.map(({ number }) => number).join(', ')})`
}

/** By generation, of all that are there. */
export async function countRows(calls: ClickhouseDatabase): Promise<ReadonlyMap<number, number>> {
  const rows = await calls.all<{ number: number; found: number }>(
    'SELECT generation AS number, count() AS found FROM month_sums GROUP BY generation',
  )
  return new Map(rows.map(({ number, found }) => [number, found]))
}

/**
 * False where upkeep has dropped some since, or the ledger database is that of an earlier moment.
 */
export function isWhole(kept: KeptSums, stored: ReadonlyMap<number, number>): boolean {
  return kept.generations.every(({ number, rows }) => stored.get(number) === rows)
}
