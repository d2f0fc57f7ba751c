// The usage store over any database that speaks the shared SQL: each kind of question has a file of
// its own. Must stay true: all of one answer comes from one moment of the database.

import { WeirError } from '../../../core/weir-error.ts'
import type { Sql, SqlDatabase } from '../../sql/sql.ts'
import type { AnalysisAnswer, AnalysisQuestion } from '../analysis.ts'
import type { UsageStore } from '../usage-store.ts'
import { readAnswerRevision } from './cost-revision.ts'
import { createDaySpend } from './day-spend.ts'
import { readFirstCallAt } from './first-call.ts'
import type { NameReader } from './name-reader.ts'
import { readSpanCost } from './spans/span-cost.ts'
import { createSessions } from './sessions.ts'
import { createSums } from './sums.ts'
import { createUpkeep } from './upkeep.ts'
import type { UpkeepOptions } from './upkeep.ts'

export interface UsageOptions extends UpkeepOptions {
  readonly names: NameReader
}

export function createUsage(database: SqlDatabase, options: UsageOptions): UsageStore {
  const { canWrite, records, names, dialect } = options
  const sumUp = createSums(names, dialect)
  return {
    requests: records.requests,
    daySpend: createDaySpend(database, { canWrite, records }),
    sessions: createSessions(database, { names, dialect }),
    upkeep: createUpkeep(database, options),
    sum: (question) => database.readSnapshot((sql) => sumUp(sql, question)),
    analyze: (questions) => records.analyze(questions),
    readSnapshot: ({ questions, spans, analyses = [] }) =>
      database.readSnapshot(async (sql) => ({
        sums: await inTurn(questions, (question) => sumUp(sql, question)),
        costs: await inTurn(spans, (span) => readSpanCost(sql, span, { sumUp, records, dialect })),
        analyses: await inTurn(analyses, (question) => analyzeIfPossible(sql, question, records)),
      })),
    readFirstCallAt: () => database.readSnapshot((sql) => readFirstCallAt(sql, records)),
    readCostRevision: () => readAnswerRevision(database, database.epoch),
    async readKeyUses(keyIds) {
      const isOne = dialect.isOneOf('key_id', keyIds)
      const text = `SELECT key_id, at FROM key_uses WHERE ${isOne.sql}`
      const rows = await database.all<{ key_id: string; at: number }>(text, isOne.parameters)
      return new Map(rows.map(({ key_id: keyId, at }) => [keyId, at]))
    },
    async readRecord(id) {
      const found = await database.readSnapshot((sql) => records.find(sql, [id]))
      return found.get(id) ?? null
    },
  }
}

async function analyzeIfPossible(
  sql: Sql,
  question: AnalysisQuestion,
  records: UsageOptions['records'],
): Promise<AnalysisAnswer | null> {
  try {
    const [answer] = await records.analyze([question], sql)
    return answer ?? null
  } catch (error) {
    if (error instanceof WeirError && error.code === 'invalid_parameter') return null
    throw error
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
