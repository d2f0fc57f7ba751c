// Compares what Weir said of its record, moment by moment, with what the provider saw, and its last
// word with the records themselves.

import { openLedgerStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import type { CallResult } from './callers.ts'
import { readAllRecords } from './read-all-records.ts'

export interface Moment {
  readonly isFull: boolean
  /** Calls that had come to the provider before Weir was asked, and after it had answered. */
  readonly before: number
  readonly after: number
  readonly completeness: Completeness
  /** What readiness gave as the reason. */
  readonly fault: string | null
}

export interface FullDiskEvidence {
  readonly dataDir: string
  readonly disk: 'mounted' | 'simulated'
  readonly onFull: 'go-on' | 'refuse'
  readonly moments: readonly Moment[]
  readonly received: ReadonlyMap<number, number>
  readonly results: readonly CallResult[]
  readonly kills: number
  readonly callers: number
  readonly completeness: Completeness
}

export interface FullDiskVerdict {
  readonly faults: readonly string[]
  readonly disk: 'mounted' | 'simulated'
  readonly moments: number
  readonly kills: number
  readonly calls: number
  readonly received: number
  readonly recorded: number
  /** Calls that came to the provider and are not on record. */
  readonly missing: number
  /** The most that was said to be lost while the disk was full. */
  readonly lostWhileFull: number
  /** Records of calls that were refused because of the disk. */
  readonly refused: number
  readonly completeness: Completeness
}

/** Of calls that may have ended before they left. */
const CUT_STATUSES = new Set(['interrupted', 'aborted', 'cut'])

export async function judgeFullDisk(evidence: FullDiskEvidence): Promise<FullDiskVerdict> {
  const { received, completeness, moments, onFull } = evidence
  const store = await openLedgerStore({ dataDir: evidence.dataDir, clock: systemClock })
  try {
    const records = await readAllRecords(store)
    const left = records.filter(({ event }) => event.status !== 'denied')
    const byCall = Map.groupBy(left, ({ event }) => Number(event.dims['call']))
    const missing = [...received.keys()].filter((n) => !byCall.has(n)).length
    const faults = moments.flatMap((moment) => judgeMoment(moment, evidence))
    for (const [n, times] of received) {
      if (times !== 1) faults.push(`call ${n} came to the provider ${times} times`)
    }
    for (const [n, found] of byCall) {
      const status = found[0]?.event.status ?? ''
      if (!received.has(n) && !CUT_STATUSES.has(status)) {
        faults.push(`call ${n} never came to the provider and is ${status}`)
      }
      if (found.length !== 1) faults.push(`call ${n} is recorded ${found.length} times`)
    }
    faults.push(...judgeLast(evidence, { recorded: left.length, missing, byCall }))
    const full = moments.filter(({ isFull }) => isFull)
    const lostWhileFull = Math.max(0, ...full.map((moment) => moment.completeness.lost))
    if (onFull === 'go-on' && lostWhileFull === 0) faults.push('nothing was lost: a weak test')
    if (!full.some(({ fault }) => fault?.includes('does not take the journal'))) {
      faults.push('readiness never reported the disk')
    }
    const refused = records.filter(({ event }) => event.errorCode === 'journal_full').length
    if (onFull === 'refuse' && refused === 0) faults.push('nothing was refused: a weak test')
    return {
      faults,
      disk: evidence.disk,
      moments: moments.length,
      kills: evidence.kills,
      calls: evidence.results.length,
      received: received.size,
      recorded: left.length,
      missing,
      lostWhileFull,
      refused,
      completeness,
    }
  } finally {
    await store.close()
  }
}

function judgeMoment(moment: Moment, { onFull }: FullDiskEvidence): string[] {
  const { before, completeness } = moment
  const { forwarded, recorded, pending, dead, lost } = completeness
  const faults: string[] = []
  const text = `${JSON.stringify(completeness)} when ${before} to ${moment.after} had come`
  if (forwarded !== recorded + pending + dead + lost) faults.push(`it does not add up: ${text}`)
  if (forwarded < before) faults.push(`calls were forwarded that are not counted: ${text}`)
  if (onFull === 'refuse' && lost > 0) faults.push(`calls are lost: ${text}`)
  return faults
}

interface Last {
  readonly recorded: number
  readonly missing: number
  readonly byCall: ReadonlyMap<number, unknown>
}

function judgeLast(evidence: FullDiskEvidence, { recorded, missing, byCall }: Last): string[] {
  const { completeness, received, results, onFull } = evidence
  const { forwarded, pending, dead, lost } = completeness
  const faults: string[] = []
  const text = `${JSON.stringify(completeness)}, with ${recorded} records and ${missing} missing`
  if (pending + dead > 0) faults.push(`calls are left over: ${text}`)
  if (completeness.recorded !== recorded) faults.push(`the records are not those counted: ${text}`)
  if (forwarded !== recorded + lost) faults.push(`it does not add up in the end: ${text}`)
  // A kill may come between the moment a call is counted and the moment it leaves.
  const unsent = results.filter(
    ({ n, isWhole }) => !isWhole && !received.has(n) && !byCall.has(n),
  ).length
  if (lost < missing || lost > missing + unsent) faults.push(`lost is wrong: ${text}`)
  if (onFull === 'refuse' && missing > 0) faults.push(`calls are missing: ${text}`)
  return faults
}
