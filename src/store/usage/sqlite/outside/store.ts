// The usage store where SQLite has the sums and another engine single calls. Must stay true: all of
// one answer is of one moment of the file, which says which calls count.

import type { SqliteFile } from '../../../sqlite/file.ts'
import type { Snapshot } from '../../../sqlite/snapshots.ts'
import type { RecordEngine } from '../../record-engine.ts'
import { FIRST_DAY, toFirstCallAt } from '../../sql/first-call.ts'
import type { UsageStore } from '../../usage-store.ts'
import { createSqliteDaySpend } from '../day-spend.ts'
import { createSqliteUsage } from '../store.ts'
import { createSqliteSums } from '../sums.ts'
import { readSpanCost } from './span-cost.ts'
import { createOutsideUpkeep } from './upkeep.ts'
import type { OutsideOptions } from './upkeep.ts'

export function createOutsideUsage(
  file: SqliteFile,
  { canWrite, ...options }: OutsideOptions & { readonly canWrite: boolean },
): UsageStore {
  const { records, snapshots } = options
  return {
    ...createSqliteUsage(file, { canWrite }),
    requests: records.requests,
    daySpend: createSqliteDaySpend(file, {
      canWrite,
      forEachCall: (span, use) =>
        snapshots.read(async ({ sql }) => {
          for await (const call of records.readSpan(sql, span)) use(call)
        }),
    }),
    upkeep: createOutsideUpkeep(file, options),
    analyze: (questions) => records.analyze(questions),
    readMoment: ({ questions, spans }) =>
      snapshots.read(async (snapshot) => {
        const sumUp = createSqliteSums(snapshot.file)
        const sums = questions.map(sumUp)
        const costs = []
        for (const span of spans) {
          costs.push(await readSpanCost(snapshot, span, { sumUp, records }))
        }
        return { sums, costs }
      }),
    readFirstCallAt: () => snapshots.read((snapshot) => readFirstCallAt(snapshot, records)),
    readRecord: async (id) =>
      (await snapshots.read(({ sql }) => records.find(sql, [id]))).get(id) ?? null,
  }
}

/** Of forwarded calls; null without one. */
export async function readFirstCallAt(
  { file, sql }: Snapshot,
  records: Pick<RecordEngine, 'readFirstStart'>,
): Promise<number | null> {
  const day = file.prepareOnce<{ day: number | null }>(FIRST_DAY).first()?.day ?? null
  return day === null ? null : toFirstCallAt(day, await records.readFirstStart(sql))
}
