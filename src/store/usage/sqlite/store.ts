// The usage store on SQLite: each kind of question has a file of its own.

import type { SqliteFile } from '../../sqlite/file.ts'
import { readTogether } from '../../sqlite/read-together.ts'
import type { UsageStore } from '../usage-store.ts'
import { createSqliteAnalysis } from './analysis/analysis.ts'
import { prepareCostRevision } from './cost-changes.ts'
import { createSqliteDaySpend } from './day-spend.ts'
import { SELECT_RECORDS } from './dialect.ts'
import { readFirstCallAt } from './first-call.ts'
import { readKeyUses } from './key-uses.ts'
import { fromRecordRow, parseIdBytes } from '../sql/record-row.ts'
import { createSqliteRequests } from './requests.ts'
import { readSpanCost } from './span-cost.ts'
import { createSqliteSums } from './sums.ts'
import { createSqliteUpkeep } from './upkeep.ts'

export function createSqliteUsage(
  file: SqliteFile,
  { canWrite }: { readonly canWrite: boolean },
): UsageStore {
  const selectRecord = file.database.prepare(`${SELECT_RECORDS} WHERE id = ?`)
  const readRevision = prepareCostRevision(file)
  const sumUp = createSqliteSums(file)
  const analyze = createSqliteAnalysis(file)
  return {
    requests: createSqliteRequests(file),
    daySpend: createSqliteDaySpend(file, { canWrite }),
    upkeep: createSqliteUpkeep(file),
    sum: async (question) => sumUp(question),
    analyze: async (questions) => readTogether(file, () => questions.map(analyze)),
    readMoment: async ({ questions, spans }) =>
      readTogether(file, () => ({
        sums: questions.map(sumUp),
        costs: spans.map((span) => readSpanCost(file, span, { sum: sumUp })),
      })),
    readFirstCallAt: async () => readFirstCallAt(file),
    readCostRevision: async () => readRevision(),
    readKeyUses: async (keyIds) => readKeyUses(file, keyIds),
    async readRecord(id) {
      const bytes = parseIdBytes(id)
      const row = bytes === null ? undefined : selectRecord.get(bytes)
      return row === undefined ? null : fromRecordRow(row)
    },
  }
}
