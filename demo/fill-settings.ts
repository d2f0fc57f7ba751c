// What people of the company have set up in their year: users, keys, a token, a discount, budgets.
// Made by the settings store's own interface, each at its time and under a user's name, so that the
// audit log reads as it would have been.

import type { SettingsStore, UsageStore } from '../src/store/open-store.ts'
import { assert } from '../src/core/assert.ts'
import type { Clock } from '../src/core/clock.ts'
import { OPEN_KEY } from '../src/resources/codecs.ts'
import { createPasswords } from '../src/accounts/passwords.ts'
import { parseMoney } from '../src/core/money.ts'
import type { User, UserRole } from '../src/core/user.ts'
import { WeirError } from '../src/core/weir-error.ts'
import { KEY_HANDLES, KEYS } from './company.ts'
import type { DemoKey, KeyHandle } from './company.ts'
import { DAY_MS, YEAR_DAYS } from './draw-day.ts'

export interface DemoLogin {
  readonly email: string
  readonly name: string
  readonly role: UserRole
  readonly password: string
}

export const ADMIN: DemoLogin = {
  email: 'ada@acme.example',
  name: 'Ada Brook',
  role: 'admin',
  password: 'weir-demo-admin',
}

export const VIEWER: DemoLogin = {
  email: 'vic@acme.example',
  name: 'Vic Ford',
  role: 'viewer',
  password: 'weir-demo-viewer',
}

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
  const keys = new Map<KeyHandle, string>()
  let token = ''
  const actions: Action[] = [
    ...KEY_HANDLES.map((handle) => ({
      at: madeAt(handle),
      run: async () => void keys.set(handle, await createKey(settings, handle)),
    })),
    { at: 0.45, run: () => settings.keys.revoke(idOf(keys.get('prototype'))) },
    { at: 0.5, run: () => settings.prices.set({ ...DISCOUNT, effectiveFrom: clock.now() }) },
    { at: 0.55, run: async () => settings.users.create(await toNewUser(VIEWER)) },
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

/** A change by a user at some point of the year, from 0 to 1. */
interface Action {
  readonly at: number
  readonly run: () => Promise<unknown>
}

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

async function createKey(settings: SettingsStore, handle: KeyHandle): Promise<string> {
  const { madeAt: _made, revokedAt: _revoked, ...wanted }: DemoKey = KEYS[handle]
  const { credential } = await settings.keys.create({ ...OPEN_KEY, ...wanted })
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

async function toNewUser({ email, name, role, password }: DemoLogin) {
  return { email, name, role, passwordHash: await createPasswords().hash(password), subject: null }
}

const TEAM = 'platform'
/** The team's budget at first: beyond its threshold of 80 %. */
const BUDGET_USED = 0.86
const JOB_LIMIT_USD = '40'

export interface BudgetPlace extends SettingsPlace {
  readonly usage: Pick<UsageStore, 'sum'>
  readonly keyIds: Readonly<Record<KeyHandle, string>>
  readonly nowMs: number
  /** Where alerts are sent. */
  readonly hookUrl: string
}

/** One that has just raised an alert, and one that would have stopped the runaway job. */
export async function fillBudgets(place: BudgetPlace): Promise<void> {
  const { settings, clock, usage, keyIds, nowMs, hookUrl } = place
  const admin = await settings.users.find({ email: ADMIN.email })
  const store = settings.as({ kind: 'user', id: admin?.id ?? null, name: ADMIN.email })
  const month = new Date(nowMs).toISOString().slice(0, 7)
  const teams = await usage.sum({
    period: { grain: 'month', from: month, to: month },
    grouping: { by: 'dim', dimKey: 'team' },
    keyId: null,
  })
  const spent = teams.find(({ label }) => label === TEAM)?.cost ?? 0n
  clock.place(nowMs - 20 * DAY_MS)
  const common = { thresholds: [50, 80, 100] }
  const targets = [{ kind: 'webhook', address: hookUrl }] as const
  await store.targets.createAll(targets, null)
  await store.budgets.create(
    {
      ...common,
      name: 'Platform team',
      scope: { kind: 'dim', key: 'team', value: TEAM },
      period: 'month',
      limit: toRoundLimit(Number(spent) / 1e12 / BUDGET_USED),
      each: 'none',
      isBlocking: false,
    },
    targets,
  )
  clock.place(nowMs - 18 * DAY_MS)
  await store.budgets.create(
    {
      ...common,
      name: 'Nightly enrichment, daily',
      scope: { kind: 'api_key', keyId: keyIds.enrichment },
      period: 'day',
      limit: parseMoney(JOB_LIMIT_USD) as bigint,
      each: 'none',
      isBlocking: true,
    },
    targets,
  )
}

/** Two digits, as people choose limits; a dollar at least. */
function toRoundLimit(usd: number): bigint {
  return parseMoney(Number(Math.max(1, usd).toPrecision(2))) as bigint
}
