// One program with the calls of a company, for all files that only look at them, or change what no
// other looks at. Among them is an hour with five calls whose costs and times are known.

import { atEndOfProcess } from '../by-room/end-of-process.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { openLedgerStore } from '../../src/store/open-store.ts'
import { openConsoleScene } from './open-scene.ts'
import type { ConsoleScene } from './open-scene.ts'
import { seedCompany } from './seed-company.ts'
import type { Company } from './seed-company.ts'

/** 0.01 USD, in 1e-12 USD. */
const CENT = 10n ** 10n
const HOUR_MS = 3_600_000
/** An hour more than three days ago: the other calls were at about this time of day. */
export const LOG_START = Math.floor((systemClock.now() - 78 * HOUR_MS) / HOUR_MS) * HOUR_MS
export const LOG_END = LOG_START + HOUR_MS

/** Of every call: its model, cents and seconds. */
export const LOG_CALLS = [
  ['log-alpha', 5, 3],
  ['log-beta', 40, 1],
  ['log-gamma', 1, 20],
  ['log-alpha', 30, 2],
  ['log-beta', 2, 9],
] as const

interface CompanyScene {
  readonly scene: ConsoleScene
  readonly company: Company
}

let opening: Promise<CompanyScene> | null = null

export function shareCompany(chromium: string): Promise<CompanyScene> {
  return (opening ??= open(chromium))
}

async function open(chromium: string): Promise<CompanyScene> {
  let company = null as Company | null
  const prepare = async (dataDir: string): Promise<void> => {
    company = await seedCompany(dataDir)
    const store = await openLedgerStore({ dataDir, clock: systemClock })
    await store.writeBatch({ ...batchOf(...toCalls(company)), forwarded: LOG_CALLS.length })
    await store.close()
  }
  const scene = await openConsoleScene({ after: atEndOfProcess }, { chromium, prepare })
  return { scene, company: company as Company }
}

function toCalls({ keyId }: Company): readonly UsageRecord[] {
  return LOG_CALLS.map(([model, cents, seconds], index) => {
    const startedAt = LOG_START + (index + 1) * 60_000
    const times = { startedAt, endedAt: startedAt + seconds * 1000 }
    const event = { id: createRequestId(startedAt), ...times, model, dims: { job: model }, keyId }
    return createRecord(event, { amount: BigInt(cents) * CENT })
  })
}
