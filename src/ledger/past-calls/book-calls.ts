// Books stored calls without a team to the team of their key. Must stay true: a call that has a
// team keeps it, and each step changes calls and sums together, so that a killed run leaves nothing
// half done and the next one finds what is left.

import { TEAM_FACT } from '../../core/teams/team.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { ALL_REQUESTS } from '../../store/usage/request-log.ts'
import type { UsageUpkeep } from '../../store/usage/usage-upkeep.ts'
import { walkRecords } from './walk-records.ts'
import type { WalkOptions } from './walk-records.ts'

export interface BookOptions extends Pick<WalkOptions, 'onProgress' | 'stepRecordsMax'> {
  readonly upkeep: Pick<UsageUpkeep, 'readRecords' | 'bookToTeams'>
  /** By the id of a key. A trial is content with any word for a team. */
  readonly teamOf: ReadonlyMap<string, string>
  /** False: a trial that changes nothing. */
  readonly isApplied: boolean
  /** Told of each step when it is done. */
  readonly onBooked: (records: readonly UsageRecord[]) => void
}

/** More are picked out of all calls: a filter that names many is long, and finds most of them. */
const KEYS_ASKED_MAX = 200

export async function bookCalls(options: BookOptions): Promise<void> {
  const { upkeep, teamOf, isApplied, onBooked } = options
  if (teamOf.size === 0) return
  const keyId = teamOf.size > KEYS_ASKED_MAX ? null : [...teamOf.keys()]
  const filter = { ...ALL_REQUESTS, keyId, withoutDim: TEAM_FACT }
  await walkRecords({ ...options, filter }, async (all) => {
    const meant = all.filter(({ event }) => teamOf.has(event.keyId ?? ''))
    if (meant.length === 0) return
    const bookings = meant.map(({ event: { id, keyId: key } }) => {
      return { id, teamId: teamOf.get(key ?? '') ?? '' }
    })
    onBooked(isApplied ? await upkeep.bookToTeams(bookings) : meant)
  })
}
