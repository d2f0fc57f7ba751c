// Answers usage questions from the rollups. Must stay true: how an answer is found makes no difference to it: what was
// guessed is checked by what came of it, and asked again without the guess where it was wrong.

import type { StatementSync } from 'node:sqlite'
import type { Money } from '../../../core/money.ts'
import type { SqliteFile } from '../../sqlite/sqlite-file.ts'
import { createNameReader } from './sqlite-names.ts'
import { fromSumRow, isOneRowEach, REST, toSumQuery } from './sqlite-question.ts'
import type { SumQuery, SumRow } from './sqlite-question.ts'
import type { UsageQuestion, UsageSum } from '../usage-store.ts'

/** Questions whose last answer is remembered; when there are more, the memory starts afresh. */
const FLOORS_MAX = 1000
/** Costs move between two answers: what is a little cheaper than the last row was may be in the next. */
const FLOOR_SHARE = { of: 3n, parts: 4n }

export function createSqliteSums(
  file: SqliteFile,
): (question: UsageQuestion) => readonly UsageSum[] {
  const { database } = file
  const statements = new Map<string, StatementSync>()
  const nameOf = createNameReader(database)
  /** Below it, no row is likely to be among the largest. */
  const floors = new Map<string, Money>()

  // A statement over tens of thousands of rows takes several milliseconds, and cannot rest by itself.
  database.function(REST, () => {
    file.breathe()
    return 1
  })

  // Bounded: values are parameters, so the texts differ only by what kind of question it is.
  function prepare(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    // A row as a list takes half the time of one with names.
    statement.setReturnArrays(true)
    statements.set(sql, statement)
    return statement
  }

  function ask({ sql, parameters }: SumQuery): readonly UsageSum[] {
    file.breathe()
    const rows = prepare(sql).all(...parameters) as unknown as SumRow[]
    file.breathe()
    return rows.map((row) => fromSumRow(row, nameOf))
  }

  /** The largest first, and one more than is wanted where there are as many. */
  function askLargest(question: UsageQuestion, largest: number): readonly UsageSum[] {
    // Where rows are made by adding up, leaving some out saves next to nothing.
    if (!isOneRowEach(question)) return ask(toSumQuery(question))
    const name = JSON.stringify(question)
    const floor = floors.get(name)
    // To sort tens of thousands of rows takes twice the time of passing over those that are too small.
    const likely = floor === undefined ? [] : ask(toSumQuery(question, { floor }))
    const sums = likely.length > largest ? likely : ask(toSumQuery(question))
    const last = sums[largest]?.cost ?? 0n
    if (floors.size >= FLOORS_MAX) floors.clear()
    if (last > 0n) floors.set(name, (last * FLOOR_SHARE.of) / FLOOR_SHARE.parts)
    else floors.delete(name)
    return sums
  }

  return (question) => {
    const { largest } = question
    if (largest === undefined) return ask(toSumQuery(question))
    const sums = askLargest(question, largest)
    if (sums.length <= largest) return sums
    const isTied = sums[largest]?.cost === sums[largest - 1]?.cost
    return isTied ? ask(toSumQuery(question, { hasTies: true })) : sums.slice(0, largest)
  }
}
