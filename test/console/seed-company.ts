// What is in the stores before a console is opened: ten weeks of calls of known cost, and names
// that would do harm if anything took them for more than text. Must stay true: every name a caller
// or an administrator can choose is hostile.

import { mkdirSync } from 'node:fs'

import { openSettingsStore, openLedgerStore } from '../../src/store/open-store.ts'
import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { OPEN_KEY, TEAM_CODEC } from '../../src/resources/codecs.ts'
import { createTokenCounts } from '../../src/core/token-counts.ts'
import { createPriceTables } from '../../src/pricing/tables/price-tables.ts'
import type { SettingsStore } from '../../src/store/settings/settings-store.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'
import { sampleCall, toBatch } from '../fakes/stored-calls.ts'

/** Set by a script that should never have run. */
export const RAN = 'hostileScriptRan'
const SET = `window.${RAN}=1`

export const HOSTILE = {
  key: `<script>${SET}</script>`,
  model: `<img src=x onerror="${SET}">`,
  team: `"><svg onload=${SET}>`,
  app: `=HYPERLINK("javascript:${SET}","click")`,
  budget: `javascript:${SET}//'"><b>`,
  token: `</title><script>${SET}</script>`,
  user: `{{constructor.constructor("${SET}")()}}<i>`,
  owner: `'"><details open ontoggle=${SET}>`,
  note: `<a href="javascript:${SET}">note</a>`,
} as const

export interface Company {
  /** Of the administrator's session. */
  readonly session: string
  /** Of a token that may do everything. */
  readonly token: string
  readonly keyId: string
  readonly teamId: string
  /** Of a call that the price book priced. */
  readonly requestId: string
}

const DAY_MS = 86_400_000
const DAYS = 70
const CALLS_A_DAY = 5
const PICO_CENT = 10n ** 10n
const PROVIDERS = ['gateway', 'openai', 'anthropic', 'google'] as const
const MODELS = ['gpt-4o-mini', 'claude-sonnet-4-5', 'gemini-2.5-flash', HOSTILE.model] as const
const TEAMS = ['search', 'support', HOSTILE.team] as const
/** No more than Overview lists: which of them cost most changes with the day of the month. */
const APPS = [HOSTILE.app, 'app-1', 'app-2', 'app-3', 'app-4'] as const

export async function seedCompany(dataDir: string): Promise<Company> {
  mkdirSync(dataDir, { recursive: true })
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  try {
    const nowMs = systemClock.now()
    const people = await createPeople(settings, nowMs)
    const team = await settings.teams.create(
      TEAM_CODEC.fromNew({ name: HOSTILE.team, slug: 'hostile', note: HOSTILE.note }),
    )
    const { key } = await settings.keys.create({
      ...OPEN_KEY,
      name: HOSTILE.key,
      owner: HOSTILE.owner,
      note: HOSTILE.note,
      teamId: team.id,
    })
    const other = await settings.keys.create({
      ...OPEN_KEY,
      name: 'Support assistant',
      allowedModels: ['anthropic/*'],
      defaultDims: { team: 'support' },
      rateLimitRpm: 600,
    })
    const requestId = createRequestId(nowMs - 60_000)
    await seedCalls(dataDir, { nowMs, keyIds: [key.id, other.key.id], requestId })
    await seedTerms(settings, nowMs)
    return { ...people, keyId: key.id, teamId: team.id, requestId }
  } finally {
    await settings.close()
  }
}

async function createPeople(
  settings: SettingsStore,
  nowMs: number,
): Promise<Pick<Company, 'session' | 'token'>> {
  const code = (await settings.setupCode.create()) ?? ''
  const common = { passwordHash: null, subject: null }
  const admin = await settings.setupCode.redeem(code, {
    ...common,
    email: 'ada@example.com',
    name: HOSTILE.user,
    role: 'admin',
    passwordHash: 'no password opens this',
  })
  await settings.users.create({ ...common, email: 'b@example.com', name: 'Bo', role: 'viewer' })
  const session = await settings.sessions.create({
    userId: admin?.id ?? '',
    expiresAt: nowMs + DAY_MS,
    agent: `Mozilla/5.0 ${HOSTILE.note}`,
    address: '127.0.0.1',
  })
  const token = await settings.tokens.create({
    name: HOSTILE.token,
    scopes: ['admin'],
    teamId: null,
    expiresAt: null,
  })
  return { session: session.credential, token: token.credential }
}

interface Calls {
  readonly nowMs: number
  readonly keyIds: readonly string[]
  readonly requestId: string
}

async function seedCalls(dataDir: string, { nowMs, keyIds, requestId }: Calls): Promise<void> {
  const usage = await openLedgerStore({ dataDir, clock: systemClock })
  try {
    const records = Array.from({ length: DAYS * CALLS_A_DAY }, (_, index) =>
      toRecord(index, { nowMs, keyIds }),
    )
    await usage.writeBatch(batchOf(...records))
    const listed = { provider: 'openai', operation: 'openai-chat', keyId: keyIds[0] ?? null }
    const dims = { team: HOSTILE.team, app: HOSTILE.app }
    const explained = sampleCall({
      ...listed,
      id: requestId,
      endedAt: nowMs - 59_000,
      model: 'gpt-4o-mini',
      requestedModel: 'gpt-4o-mini',
      dims,
    })
    const unpriced = sampleCall({ ...listed, endedAt: nowMs - 50_000, model: HOSTILE.model, dims })
    await usage.writeBatch(toBatch([explained, unpriced], createPriceTables()))
  } finally {
    await usage.close()
  }
}

/** Costs that no two calls share, so that a figure made of the wrong ones is another. */
function toRecord(index: number, { nowMs, keyIds }: Omit<Calls, 'requestId'>): UsageRecord {
  const pick = <Item>(items: readonly Item[]): Item => items[index % items.length] as Item
  const endedAt = nowMs - Math.floor(index / CALLS_A_DAY) * DAY_MS - (index % CALLS_A_DAY) * 90_000
  const startedAt = endedAt - 1500
  return createRecord(
    {
      id: createRequestId(startedAt),
      keyId: pick(keyIds),
      provider: pick(PROVIDERS),
      operation: 'chat',
      model: pick(MODELS),
      requestedModel: pick(MODELS),
      dims: { team: pick(TEAMS), app: pick(APPS) },
      startedAt,
      endedAt,
      httpStatus: 200,
      tokens: createTokenCounts({ input: 1000 + index, output: 100 + index }),
    },
    { amount: BigInt(index + 1) * PICO_CENT, source: 'gateway', priceVersion: null },
  )
}

async function seedTerms(settings: SettingsStore, nowMs: number): Promise<void> {
  await settings.budgets.create(
    {
      name: HOSTILE.budget,
      scope: { kind: 'dim', key: 'team', value: HOSTILE.team },
      period: 'month',
      limit: 10n ** 12n,
      thresholds: [50, 100],
      each: 'none',
      isTargetsOnly: false,
      isBlocking: false,
    },
    [{ kind: 'email', address: 'finance@example.com' }],
  )
  await settings.prices.set({
    provider: 'openai',
    model: 'gpt-4o*',
    tier: null,
    price: { kind: 'multiplier', factor: '0.9' },
    effectiveFrom: nowMs,
    note: HOSTILE.note,
  })
}
