// Answers usage questions from the rollups.

import type { Sql } from '../../sql/sql.ts'
import { FIGURE_COLUMNS } from '../sql/figure-columns.ts'
import { toPeriodNumber } from '../sql/periods.ts'
import { fromSumRow, isSummed, toSumQuery } from '../sql/question.ts'
import type { SummedQuestion, SumRow } from '../sql/question.ts'
import { fromRepricedSum, requireRepricedPeriod, SUM_REPRICED } from '../sql/repricings.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'
import { POSTGRES } from './dialect.ts'
import type { NameReader } from './name-reader.ts'

export type SumUp = (sql: Sql, question: UsageQuestion) => Promise<readonly UsageSum[]>

type Row = Readonly<Record<string, number | null>>

export function createPostgresSums(names: NameReader): SumUp {
  async function ask(
    sql: Sql,
    question: SummedQuestion,
    hasTies: boolean,
  ): Promise<readonly UsageSum[]> {
    const query = toSumQuery(question, { dialect: POSTGRES, hasTies })
    const rows = await sql.all<Row>(query.sql, query.parameters)
    const ids = rows.flatMap(({ label, model }) => [label, model])
    const nameOf = await names.read(sql, new Set(ids.filter((id) => typeof id === 'number')))
    return rows.map((row) => fromSumRow(toSumRow(row), nameOf))
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

function toSumRow(row: Row): SumRow {
  const { label = null, model = null, bucket = null } = row
  return [label, model, bucket, ...FIGURE_COLUMNS.map((column) => row[column] as number)]
}

/** A row per month of the period that was repriced. */
async function sumRepriced(sql: Sql, question: UsageQuestion): Promise<readonly UsageSum[]> {
  requireRepricedPeriod(question)
  const { from, to } = question.period
  const rows = await sql.all<Row>(SUM_REPRICED, [toPeriodNumber(from), toPeriodNumber(to)])
  return rows.map(fromRepricedSum)
}
