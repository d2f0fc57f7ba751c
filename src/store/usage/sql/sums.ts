// Answers usage questions from the rollups.

import type { Sql } from '../../sql/sql.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'
import type { Dialect } from './dialect.ts'
import type { NameReader } from './name-reader.ts'
import { fromSumRow, isSummed, toSumQuery } from './question.ts'
import type { SummedQuestion, SumRow } from './question.ts'
import { sumRepriced } from './repricings.ts'

export type SumUp = (sql: Sql, question: UsageQuestion) => Promise<readonly UsageSum[]>

export function createSums(names: NameReader, dialect: Dialect): SumUp {
  async function ask(
    sql: Sql,
    question: SummedQuestion,
    hasTies: boolean,
  ): Promise<readonly UsageSum[]> {
    const query = toSumQuery(question, { dialect, hasTies })
    const rows = await sql.lists<SumRow>(query.sql, query.parameters)
    const nameOf = await names.read(sql, listIds(rows))
    return rows.map((row) => fromSumRow(row, nameOf))
  }

  return async (sql, question) => {
    if (!isSummed(question)) return sumRepriced(sql, question)
    const { largest } = question
    // One more than is wanted, where there are as many.
    const sums = await ask(sql, question, false)
    if (largest === undefined || sums.length <= largest) return sums
    const isTied = sums[largest]?.cost === sums[largest - 1]?.cost
    return isTied ? ask(sql, question, true) : sums.slice(0, largest)
  }
}

function listIds(rows: readonly SumRow[]): readonly number[] {
  const ids: number[] = []
  for (const [label, model] of rows) {
    if (label !== null) ids.push(label)
    if (model !== null) ids.push(model)
  }
  return ids
}
