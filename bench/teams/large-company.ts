// A company of 400 teams, 3,000 people and 10,000 keys: what its settings are, and whose its calls
// are. Each of the 200 keys of harness/company.ts stands for a service with fifty keys, some far
// busier than others. Must stay true: a personal key is in the team of its person.

import { systemClock } from '../../src/core/clock.ts'
import { PERSON_FACT, TEAM_FACT } from '../../src/core/teams/team.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { OPEN_KEY, TEAM_CODEC } from '../../src/resources/codecs.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import { createRandom } from '../../test/torture/random.ts'
import { createZipf, KEYS_OF_SERVICE, MANY_KEYS } from '../harness/company.ts'

const TEAMS = 400
/** Departments, each with 19 others; their leads lead these as well. */
const DEPARTMENTS = 20
const PEOPLE = 3000
const USD = 10n ** 12n
const SEED = 20_261_119

interface BookedKey {
  readonly id: string
  readonly dims: Readonly<Record<string, string>>
}

type Place = Pick<Parameters<typeof openSettingsStore>[0], 'dataDir' | 'url'>

/** Every second key is a person's. The first person of each team leads it. */
export async function seedLargeCompany(place: Place): Promise<readonly BookedKey[]> {
  const settings = await openSettingsStore({ ...place, clock: systemClock })
  const limit = {
    period: 'month',
    thresholds: [80, 100],
    isBlocking: true,
    isTargetsOnly: false,
  } as const
  const teamIds: string[] = []
  for (let number = 0; number < TEAMS; number += 1) {
    const name = `team ${String(number).padStart(3, '0')}`
    const parentId = number < DEPARTMENTS ? null : (teamIds[number % DEPARTMENTS] ?? null)
    const made = TEAM_CODEC.fromNew({ name, slug: name.replace(' ', '-') })
    const { id } = await settings.teams.create({ ...made, parentId })
    teamIds.push(id)
    const scope = { kind: 'dim', key: TEAM_FACT, value: id } as const
    const budget = { ...limit, name, scope, limit: 1_000_000n * USD, each: 'none' } as const
    await settings.budgets.create(budget, [])
  }
  const rule = { ...limit, name: 'each key', scope: { kind: 'global' } } as const
  await settings.budgets.create({ ...rule, limit: 100_000n * USD, each: 'key' }, [])
  const userIds: string[] = []
  const unsigned = { role: 'none', passwordHash: null, subject: null } as const
  for (let number = 0; number < PEOPLE; number += 1) {
    const email = `${String(number).padStart(4, '0')}@example.com`
    const { id: userId } = await settings.users.create({ ...unsigned, email, name: email })
    userIds.push(userId)
    const role = number < TEAMS ? 'lead' : 'member'
    const teamId = teamIds[number % TEAMS] ?? ''
    await settings.teams.join({ teamId, userId, role, source: 'hand' })
  }
  const keys: BookedKey[] = []
  for (let number = 0; number < MANY_KEYS; number += 1) {
    const person = number % 2 === 0 ? null : Math.floor(number / 2) % PEOPLE
    const teamId = teamIds[(person ?? number / 2) % TEAMS] ?? ''
    const personId = person === null ? null : (userIds[person] ?? '')
    const name = `key ${number}`
    const { key } = await settings.keys.create({ ...OPEN_KEY, name, teamId, personId })
    const ofPerson = personId === null ? {} : { [PERSON_FACT]: personId }
    keys.push({ id: key.id, dims: { [TEAM_FACT]: teamId, ...ofPerson } })
  }
  await settings.close()
  return keys
}

/** The calls of 200 keys as those of ten thousand. */
export function* bookToTeams(
  calls: Iterable<UsageRecord>,
  keys: readonly BookedKey[],
): Generator<UsageRecord> {
  const random = createRandom(SEED)
  const drawKey = createZipf(KEYS_OF_SERVICE, 1)
  for (const { event, cost } of calls) {
    const service = Number(event.keyId?.slice(-16))
    const { id: keyId, dims } = keys[service * KEYS_OF_SERVICE + drawKey(random)] as BookedKey
    yield { cost, event: { ...event, keyId, dims: { ...event.dims, ...dims } } }
  }
}
