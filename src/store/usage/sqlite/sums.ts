// Answers usage questions from the rollups.

import type { StatementSync } from 'node:sqlite'
import type { SqliteFile } from '../../sqlite/file.ts'
import { SQLITE } from './dialect.ts'
import { createNameReader } from './names.ts'
import { sumRepriced } from './repriced-months.ts'
import { fromSumRow, isSummed, toSumQuery } from '../sql/question.ts'
import type { SumQuery, SumRow } from '../sql/question.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'

export function createSqliteSums(
  file: SqliteFile,
): (question: UsageQuestion) => readonly UsageSum[] {
  const { database } = file
  const statements = new Map<string, StatementSync>()
  const nameOf = createNameReader(database)

  // Bounded: values are parameters, so the texts differ only by the kind of question.
  function prepare(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    // A row as an array takes half the time of an object.
    statement.setReturnArrays(true)
    statements.set(sql, statement)
    return statement
  }

  function ask({ sql, parameters }: SumQuery): readonly UsageSum[] {
    const rows = prepare(sql).all(...parameters) as unknown as SumRow[]
    return rows.map((row) => fromSumRow(row, nameOf))
  }

  return (question) => {
    if (!isSummed(question)) return sumRepriced(file, question)
    const { largest } = question
    // One more than is wanted, where there are as many.
    const sums = ask(toSumQuery(question, { dialect: SQLITE }))
    if (largest === undefined || sums.length <= largest) return sums
    const isTied = sums[largest]?.cost === sums[largest - 1]?.cost
    return isTied
      ? ask(toSumQuery(question, { dialect: SQLITE, hasTies: true }))
      : sums.slice(0, largest)
  }
}
