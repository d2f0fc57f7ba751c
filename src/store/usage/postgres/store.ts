// The usage store on PostgreSQL: each kind of question has a file of its own. Must stay true: all
// of one answer comes from one moment of the database.

import type { PostgresDatabase } from '../../postgres/database.ts'
import { fromRecordRow, parseIdBytes, SELECT_RECORD } from '../sql/record-row.ts'
import type { Row } from '../sql/record-row.ts'
import type { UsageStore } from '../usage-store.ts'
import { analyze } from './analysis.ts'
import { readCostRevision } from './cost-revision.ts'
import { createPostgresDaySpend } from './day-spend.ts'
import { POSTGRES } from './dialect.ts'
import { readFirstCallAt } from './first-call.ts'
import { createNameReader } from './name-reader.ts'
import { createPostgresRequests } from './requests.ts'
import { readSpanCost } from './span-cost.ts'
import { createPostgresSums } from './sums.ts'
import { createPostgresUpkeep } from './upkeep.ts'

export function createPostgresUsage(
  database: PostgresDatabase,
  { canWrite }: { readonly canWrite: boolean },
): UsageStore {
  const names = createNameReader()
  const sumUp = createPostgresSums(names)
  return {
    requests: createPostgresRequests(database),
    daySpend: createPostgresDaySpend(database, { canWrite }),
    upkeep: createPostgresUpkeep(database, { canWrite }),
    sum: (question) => database.readTogether((sql) => sumUp(sql, question)),
    sumTogether: (questions) =>
      database.readTogether((sql) => inTurn(questions, (question) => sumUp(sql, question))),
    analyze: (questions) =>
      database.readTogether((sql) =>
        inTurn(questions, (question) => analyze(sql, question, { names })),
      ),
    readMoment: ({ questions, spans }) =>
      database.readTogether(async (sql) => ({
        sums: await inTurn(questions, (question) => sumUp(sql, question)),
        costs: await inTurn(spans, (span) => readSpanCost(sql, span, { sumUp })),
      })),
    readFirstCallAt: () => database.readTogether(readFirstCallAt),
    readCostRevision: () => readCostRevision(database),
    async readKeyUses(keyIds) {
      const isOne = POSTGRES.isOneOf('key_id', keyIds)
      const text = `SELECT key_id, at FROM key_uses WHERE ${isOne.sql}`
      const rows = await database.all<{ key_id: string; at: number }>(text, isOne.parameters)
      return new Map(rows.map(({ key_id: keyId, at }) => [keyId, at]))
    },
    async readRecord(id) {
      if (parseIdBytes(id) === null) return null
      const row = await database.first<Row>(SELECT_RECORD, [id])
      return row === null ? null : fromRecordRow(row)
    },
  }
}

/** One connection answers one statement after the other. */
async function inTurn<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const item of items) answers.push(await ask(item))
  return answers
}
