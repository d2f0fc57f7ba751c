// Appends parts for analysis to their hour and month, and merges them by tiers. Only under the
// store's lock: a part that another node merges meanwhile would count twice.

import type { Sql, SqlValue, Statement } from '../../../sql/sql.ts'
import { FULL_TIER, mergeParts, PARTS_MERGED } from '../../block-tiers.ts'
import type { StoredBlock } from '../../block-tiers.ts'
import type { Dialect } from '../dialect.ts'

export interface AddedBlock {
  readonly period: number
  readonly block: StoredBlock
}

export interface TierCount {
  readonly period: number
  readonly tier: number
  readonly parts: number
  readonly rows: number
}

/** How many parts each tier of these periods has. */
export function readTiers(
  sql: Sql,
  added: readonly AddedBlock[],
  dialect: Pick<Dialect, 'isAmong'>,
): Promise<readonly TierCount[]> {
  if (added.length === 0) return Promise.resolve([])
  const isAdded = dialect.isAmong('period', [...new Set(added.map(({ period }) => period))])
  return sql.all<TierCount>(
    `SELECT period, tier, COUNT(*) AS parts, SUM(rows) AS rows FROM analysis_parts
      WHERE ${isAdded.sql} AND tier < ${FULL_TIER} GROUP BY period, tier`,
    isAdded.parameters,
  )
}

const INSERT = 'INSERT INTO analysis_parts (period, tier, rows, part) VALUES (?, ?, ?, ?)'
const CLOSE = `UPDATE analysis_parts SET tier = ${FULL_TIER} WHERE period = ? AND tier = ?`
const TAKE = 'DELETE FROM analysis_parts WHERE period = ? AND tier = ? RETURNING part'

/** Without merging, which another batch then does. */
export function toPartInserts(added: readonly AddedBlock[]): readonly Statement[] {
  return added.map(({ period, block: { rows, bytes } }) => {
    const values: SqlValue[] = [period, 0, rows, bytes]
    return { text: INSERT, values }
  })
}

export interface BlockPlan {
  readonly added: readonly AddedBlock[]
  readonly tiers: readonly TierCount[]
  /** Parts that would make a larger one are left as they are. */
  readonly rowsMax: number
}

/** Takes the parts that are to be merged out of the table; returns what is to be run then. */
export async function planParts(
  sql: Sql,
  { added, tiers: counts, rowsMax }: BlockPlan,
): Promise<readonly Statement[]> {
  const statements: Statement[] = []
  for (const [period, parts] of Map.groupBy(added, (one) => one.period)) {
    const stored = counts.filter((count) => count.period === period)
    const tiers = createTiers(sql, { period, counts: stored, rowsMax })
    for (const { block } of parts) await tiers.put(0, block)
    statements.push(...tiers.finish())
  }
  return statements
}

interface Tier {
  /** In the table, and their rows. */
  stored: number
  rows: number
  fresh: StoredBlock[]
}

interface PeriodTiers {
  readonly period: number
  readonly counts: readonly TierCount[]
  readonly rowsMax: number
}

function createTiers(sql: Sql, { period, counts, rowsMax }: PeriodTiers) {
  const tiers = new Map<number, Tier>(
    counts.map(({ tier, parts, rows }) => [tier, { stored: parts, rows, fresh: [] }]),
  )
  const statements: Statement[] = []

  function insert(tier: number, { fresh }: Tier): void {
    for (const { rows, bytes } of fresh) {
      const values: SqlValue[] = [period, tier, rows, bytes]
      statements.push({ text: INSERT, values })
    }
  }

  async function put(number: number, block: StoredBlock): Promise<void> {
    const tier = tiers.get(number) ?? { stored: 0, rows: 0, fresh: [] }
    tiers.set(number, tier)
    tier.fresh.push(block)
    tier.rows += block.rows
    if (tier.stored + tier.fresh.length < PARTS_MERGED) return
    tiers.delete(number)
    if (tier.rows > rowsMax) {
      insert(number, tier)
      statements.push({ text: CLOSE, values: [period, number] })
      return
    }
    const taken =
      tier.stored === 0 ? [] : await sql.all<{ part: Uint8Array }>(TAKE, [period, number])
    const bytes = [...taken.map((row) => row.part), ...tier.fresh.map((fresh) => fresh.bytes)]
    await put(number + 1, mergeParts(bytes))
  }

  return {
    put,
    finish(): readonly Statement[] {
      for (const [number, tier] of tiers) insert(number, tier)
      return statements
    },
  }
}
