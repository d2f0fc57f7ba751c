// Counts of budgets from calls that are kept elsewhere, for transactions on SQLite, which await
// nothing. One that lacks a count fails and names it; the count is read, and the transaction is
// made again. Must stay true: it uses a count only if no other batch has counted since.

import type { SqliteFile } from '../../../sqlite/file.ts'
import type { Snapshot } from '../../../sqlite/snapshots.ts'
import { StoreBusy } from '../../../store-busy.ts'
import type { RecordReader } from '../../../usage/record-reader.ts'
import { createGroupCount, planCount, toSpendGroups } from '../../budget-sums.ts'
import type { Counted, CountOptions, CountPlan } from '../../budget-sums.ts'
import type { SpendFigures } from '../../spend-figures.ts'
import { nameOf } from '../../watched-budgets.ts'
import type { CountRecords } from '../budget-count.ts'
import { readCountedBatches } from '../calls-book.ts'

export interface ReadCounts {
  readonly countRecords: CountRecords
  /** Runs work that counts by `countRecords`, again until it has all that it needs. */
  run<Result>(work: () => Result): Promise<Result>
}

/** A transaction may need some periods; each is read once, unless batches come between. */
const READS_MAX = 50

class CountWanted extends Error {
  readonly plan: CountPlan
  readonly options: CountOptions

  constructor(plan: CountPlan, options: CountOptions) {
    super('A count is to be read first.')
    this.plan = plan
    this.options = options
  }
}

interface ReadCount {
  readonly counted: Counted
  /** How many batches counted when it was read. */
  readonly batches: number
}

/** `read` gives a moment of the book to read in: another each time, or always the same. */
export function createReadCounts(
  records: Pick<RecordReader, 'readSpend'>,
  read: <Result>(work: (snapshot: Snapshot) => Promise<Result>) => Promise<Result>,
): ReadCounts {
  /** Of the work that runs right now. */
  let known: ReadonlyMap<string, ReadCount> = new Map()

  const countRecords: CountRecords = (file: SqliteFile, plan, options) => {
    const found = known.get(toName(plan, options))
    if (found === undefined || found.batches !== readCountedBatches(file)) {
      throw new CountWanted(plan, options)
    }
    for (const { id } of plan.fromRecords) {
      Object.assign(plan.counted.get(id) as SpendFigures, found.counted.get(id), {
        costRevision: plan.counted.get(id)?.costRevision,
      })
    }
  }

  return {
    countRecords,
    async run(work) {
      const own = new Map<string, ReadCount>()
      for (let reads = 0; reads < READS_MAX; reads += 1) {
        try {
          known = own
          return work()
        } catch (error) {
          if (!(error instanceof CountWanted)) throw error
          const { plan, options } = error
          const count = await read((snapshot) => readCount(snapshot, records, { plan, options }))
          own.set(toName(plan, options), count)
        }
      }
      throw new StoreBusy('Budgets could not be counted: calls are being changed all the time.')
    },
  }
}

async function readCount(
  { file, sql }: Snapshot,
  records: Pick<RecordReader, 'readSpend'>,
  { plan, options }: Pick<CountWanted, 'plan' | 'options'>,
): Promise<ReadCount> {
  const own = planCount(plan.fromRecords, '')
  const add = createGroupCount(own, options.slugOf)
  for await (const sum of records.readSpend(sql, options.span, toSpendGroups(own))) add(sum)
  return { counted: own.counted, batches: readCountedBatches(file) }
}

function toName({ fromRecords }: CountPlan, { span }: CountOptions): string {
  return [span.startMs, span.endMs, ...fromRecords.map(nameOf)].join(' ')
}
