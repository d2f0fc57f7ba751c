// Fills a usage store with two years of calls, through the store's own writes, in a process of its
// own: what it leaves in memory is released then. At the end the store must have them all, and all
// must have a cost.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { systemClock } from '../../src/core/clock.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { answerParent } from '../../test/fakes/servers/child.ts'
import { readCheckpointedBytes, sumAll } from '../ledger/portion.ts'
import { bookToTeams, seedLargeCompany } from '../teams/large-company.ts'
import { createTwoYears } from './two-years.ts'
import type { TwoYearsOptions } from './two-years.ts'

export interface ToFill extends TwoYearsOptions {
  readonly dataDir: string
  /** Null where the store is a file in the data directory. */
  readonly url: string | null
  readonly callsUrl: string | null
  /** Those of 400 teams, whose settings are made with them. */
  readonly hasTeams: boolean
}

const BATCH_RECORDS = 10_000
const NOTHING = { cursors: [], opened: [], settledIds: [], counted: [], prices: [], dead: 0 }

answerParent(async ({ dataDir, url, callsUrl, hasTeams, ...options }: ToFill): Promise<void> => {
  const store = await openLedgerStore({ dataDir, url, callsUrl, clock: systemClock })
  const plain = createTwoYears(options)
  const calls = hasTeams ? bookToTeams(plain, await seedLargeCompany({ dataDir, url })) : plain
  let written = 0
  for (let isOver = false; !isOver;) {
    const records: UsageRecord[] = []
    while (records.length < BATCH_RECORDS && !isOver) {
      const { value, done } = calls.next()
      if (done === true) isOver = true
      else records.push(value)
    }
    await store.writeBatch({ ...NOTHING, records, forwarded: records.length })
    written += records.length
  }
  const total = await sumAll(store.usage)
  await store.close()
  if (total?.requests !== written || total.unpriced !== 0 || total.cost <= 0n) {
    throw new Error(`Of ${written} calls not all are stored and priced.`)
  }
  // The files alone have everything then.
  const files = readdirSync(dataDir).filter((name) => name.endsWith('.db'))
  for (const file of files) readCheckpointedBytes(join(dataDir, file))
})
