// What people of the company have set up in their year: users, teams, keys, a token, a discount.
// Made by the settings store's own interface, each at its time and under a user's name, so that the
// audit log reads as it would have been.

import type { SettingsStore } from '../src/store/open-store.ts'
import { assert } from '../src/core/assert.ts'
import type { Clock } from '../src/core/clock.ts'
import { OPEN_KEY, TEAM_CODEC } from '../src/resources/codecs.ts'
import { createPasswords } from '../src/accounts/passwords.ts'
import type { User } from '../src/core/user.ts'
import { WeirError } from '../src/core/weir-error.ts'
import { KEY_HANDLES, KEYS } from './company.ts'
import type { DemoKey, KeyHandle } from './company.ts'
import { DAY_MS, YEAR_DAYS } from './draw-day.ts'
import { ADMIN, PEOPLE, TEAMS } from './people.ts'
import type { DemoPerson, DemoTeam, PersonHandle, TeamHandle } from './people.ts'

export interface DemoSecrets {
  /** `svc_k_….secret` of every key. */
  readonly keys: Readonly<Record<KeyHandle, string>>
  /** Of an access token that may read usage. */
  readonly token: string
}

/** A clock that can be set: each setting gets the date at which it would have been made. */
export interface PlacedClock extends Clock {
  place(atMs: number): void
}

export function createPlacedClock(clock: Clock): PlacedClock {
  let atMs = clock.now()
  return {
    now: () => atMs,
    monotonic: () => clock.monotonic(),
    place(nextMs) {
      atMs = nextMs
    },
  }
}

export interface SettingsPlace {
  readonly settings: SettingsStore
  /** The one that the store was opened with. */
  readonly clock: PlacedClock
  readonly firstDay: number
}

/** All but the budgets, which look at what was spent. */
export async function fillSettings(place: SettingsPlace): Promise<DemoSecrets> {
  const { clock, firstDay } = place
  const atFirst = firstDay * DAY_MS + FIRST_HOUR_MS
  clock.place(atFirst)
  const admin = await createAdmin(place.settings)
  const settings = place.settings.as({ kind: 'user', id: admin.id, name: admin.email })
  const there: There = { people: new Map([['ada', admin.id]]), teams: new Map() }
  const keys = new Map<KeyHandle, string>()
  let token = ''
  const join = (handle: PersonHandle, at: number): Action => ({
    at,
    run: async () => {
      const { id } = await settings.users.create(await toNewUser(PEOPLE[handle]))
      there.people.set(handle, id)
    },
  })
  const actions: Action[] = [
    ...(['lea', 'max', 'kim'] as const).map((handle) => join(handle, 0)),
    ...TEAM_HANDLES.map((handle) => ({ at: 0, run: () => createTeam(settings, there, handle) })),
    ...KEY_HANDLES.map((handle) => ({
      at: madeAt(handle),
      run: async () => void keys.set(handle, await createKey(settings, there, handle)),
    })),
    { at: 0.45, run: () => settings.keys.revoke(idOf(keys.get('prototype'))) },
    { at: 0.5, run: () => settings.prices.set({ ...DISCOUNT, effectiveFrom: clock.now() }) },
    join('vic', 0.55),
    {
      at: 0.7,
      run: async () => {
        token = (await settings.tokens.create(TOKEN)).credential
      },
    },
  ]
  // In their order, as an audit log has them.
  for (const [index, { at, run }] of actions.toSorted((a, b) => a.at - b.at).entries()) {
    clock.place(atFirst + Math.floor(at * YEAR_DAYS) * DAY_MS + (index + 1) * ACTION_MS)
    await run()
  }
  return { keys: Object.fromEntries(keys) as DemoSecrets['keys'], token }
}

/** The ids of who and what is there so far. */
interface There {
  readonly people: Map<PersonHandle, string>
  readonly teams: Map<string, string>
}

/** A change by a user at some point of the year, from 0 to 1. */
interface Action {
  readonly at: number
  readonly run: () => Promise<unknown>
}

const TEAM_HANDLES = Object.keys(TEAMS) as TeamHandle[]
const FIRST_HOUR_MS = 9 * 3_600_000
/** At least this long between two on the same day. */
const ACTION_MS = 420_000

const DISCOUNT = {
  provider: 'anthropic',
  model: 'claude-opus-*',
  tier: null,
  price: { kind: 'multiplier', factor: '0.88' },
  note: 'Contract: 12 % off the list',
} as const

const TOKEN = {
  name: 'Finance dashboard',
  scopes: ['read:usage', 'read:requests', 'read:keys'],
  teamId: null,
  expiresAt: null,
} as const

async function createTeam(
  settings: SettingsStore,
  { people, teams }: There,
  handle: TeamHandle,
): Promise<void> {
  const { parent = '', people: members = {}, ...wanted }: DemoTeam = TEAMS[handle]
  const parentId = teams.get(parent) ?? null
  const named = { ...TEAM_CODEC.defaults, ...wanted, slug: handle, parentId }
  const { id: teamId } = await settings.teams.create(named)
  teams.set(handle, teamId)
  for (const [person, role] of Object.entries(members)) {
    const userId = people.get(person as PersonHandle)
    assert(userId !== undefined, 'people come before their teams')
    await settings.teams.join({ teamId, userId, role, source: 'hand' })
  }
}

async function createKey(
  settings: SettingsStore,
  { people, teams }: There,
  handle: KeyHandle,
): Promise<string> {
  const { madeAt: _made, revokedAt: _revoked, team, person, ...wanted }: DemoKey = KEYS[handle]
  const teamId = team === undefined ? null : (teams.get(team) ?? null)
  const personId = person === undefined ? null : (people.get(person) ?? null)
  const { credential } = await settings.keys.create({ ...OPEN_KEY, ...wanted, teamId, personId })
  return credential
}

/** Of a credential `<id>.<secret>`. */
export function idOf(credential: string | undefined): string {
  return credential?.split('.')[0] ?? ''
}

function madeAt(handle: KeyHandle): number {
  const { madeAt = 0 }: DemoKey = KEYS[handle]
  return madeAt
}

/** By the one-time code, as the first administrator of every Weir is made. */
async function createAdmin(settings: SettingsStore): Promise<User> {
  const code = await settings.setupCode.create()
  if (code === null) {
    throw new WeirError('data_dir_in_use', 'This Weir has an administrator whom no demo made.', {
      hint: 'Give the demo an empty data directory, or empty databases.',
    })
  }
  const admin = await settings.setupCode.redeem(code, await toNewUser(ADMIN))
  assert(admin !== null, 'the code was just made')
  return admin
}

async function toNewUser({ email, name, role, password }: DemoPerson) {
  const passwordHash = password === null ? null : await createPasswords().hash(password)
  return { email, name, role, passwordHash, subject: null }
}
