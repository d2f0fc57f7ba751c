// The usage store on PostgreSQL: each kind of question has a file of its own. Must stay true: all
// of one answer comes from one moment of the database.

import type { PostgresDatabase } from '../../postgres/database.ts'
import type { RecordEngine } from '../record-engine.ts'
import type { UsageStore } from '../usage-store.ts'
import { readAnswerRevision } from './cost-revision.ts'
import { createPostgresDaySpend } from './day-spend.ts'
import { POSTGRES } from './dialect.ts'
import { readFirstCallAt } from './first-call.ts'
import type { NameReader } from './name-reader.ts'
import { readSpanCost } from './span-cost.ts'
import { createPostgresSums } from './sums.ts'
import { createPostgresUpkeep } from './upkeep.ts'

export interface PostgresUsageOptions {
  readonly canWrite: boolean
  readonly records: RecordEngine
  readonly names: NameReader
}

export function createPostgresUsage(
  database: PostgresDatabase,
  { canWrite, records, names }: PostgresUsageOptions,
): UsageStore {
  const sumUp = createPostgresSums(names)
  return {
    requests: records.requests,
    daySpend: createPostgresDaySpend(database, { canWrite, records }),
    upkeep: createPostgresUpkeep(database, { canWrite, records }),
    sum: (question) => database.readTogether((sql) => sumUp(sql, question)),
    analyze: (questions) => records.analyze(questions),
    readMoment: ({ questions, spans }) =>
      database.readTogether(async (sql) => ({
        sums: await inTurn(questions, (question) => sumUp(sql, question)),
        costs: await inTurn(spans, (span) => readSpanCost(sql, span, { sumUp, records })),
      })),
    readFirstCallAt: () => database.readTogether((sql) => readFirstCallAt(sql, records)),
    readCostRevision: () => readAnswerRevision(database, database.epoch),
    async readKeyUses(keyIds) {
      const isOne = POSTGRES.isOneOf('key_id', keyIds)
      const text = `SELECT key_id, at FROM key_uses WHERE ${isOne.sql}`
      const rows = await database.all<{ key_id: string; at: number }>(text, isOne.parameters)
      return new Map(rows.map(({ key_id: keyId, at }) => [keyId, at]))
    },
    async readRecord(id) {
      const found = await database.readTogether((sql) => records.find(sql, [id]))
      return found.get(id) ?? null
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
