// A company with two teams of one department: keys of the same name in both, leads and members, and
// calls that were booked to them.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'

import { systemClock } from '../../src/core/clock.ts'
import { createRequestId } from '../../src/core/ids.ts'
import { factsOf } from '../../src/core/teams/team.ts'
import type { UsageRecord } from '../../src/core/usage-record.ts'
import { KEY_CODEC, TEAM_CODEC } from '../../src/resources/codecs.ts'
import { openLedgerStore, openSettingsStore } from '../../src/store/open-store.ts'
import type { SettingsStore } from '../../src/store/settings/settings-store.ts'
import { batchOf, createRecord } from '../contracts/usage-scene.ts'

export interface Teams {
  /** Of the sessions of an administrator, a lead of Search, and a member of it. */
  readonly admin: string
  readonly lead: string
  readonly member: string
  /** Of someone who is in no team. */
  readonly stranger: string
  readonly searchId: string
  readonly supportId: string
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const CENT = 10n ** 10n
const MODELS = ['openai/gpt-5.5', 'anthropic/claude-sonnet-4-5'] as const

export async function seedTeams(dataDir: string): Promise<Teams> {
  mkdirSync(dataDir, { recursive: true })
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  try {
    const people = await createPeople(settings)
    const make = (body: Parameters<typeof TEAM_CODEC.fromNew>[0]) =>
      settings.teams.create(TEAM_CODEC.fromNew(body))
    const department = await make({ name: 'Engineering', slug: 'engineering' })
    const search = await make({
      name: 'Search',
      slug: 'search',
      parent_id: department.id,
      cost_center: 'CC-4711',
      allowed_models: ['openai/*'],
      rate_limit_rpm: 600,
      key_days_max: 90,
    })
    const support = await make({ name: 'Support', slug: 'support', parent_id: department.id })
    const join = { teamId: search.id, source: 'hand' } as const
    await settings.teams.join({ ...join, userId: people.lead.id, role: 'lead' })
    await settings.teams.join({ ...join, userId: people.member.id, role: 'member' })
    const keys = [
      { teamId: search.id, personId: null, name: 'Backend' },
      { teamId: support.id, personId: null, name: 'Backend' },
      { teamId: search.id, personId: people.member.id, name: 'Mo laptop' },
    ]
    const made: Owned[] = []
    for (const { teamId, personId, name } of keys) {
      const body = { name, team_id: teamId, person_id: personId, allowed_models: ['openai/*'] }
      const { key } = await settings.keys.create(KEY_CODEC.fromNew(body))
      made.push({ keyId: key.id, teamId, personId })
    }
    await settings.budgets.create({
      name: 'Search, a month',
      scope: { kind: 'dim', key: '@team', value: search.id },
      period: 'month',
      each: 'none',
      isTargetsOnly: false,
      limit: 10n * 10n ** 12n,
      thresholds: [80, 100],
      isBlocking: false,
    })
    await seedCalls(dataDir, made)
    const { admin, lead, member, stranger } = people
    return {
      admin: await beginSession(settings, admin.id),
      lead: await beginSession(settings, lead.id),
      member: await beginSession(settings, member.id),
      stranger: await beginSession(settings, stranger.id),
      searchId: search.id,
      supportId: support.id,
    }
  } finally {
    await settings.close()
  }
}

async function createPeople({ setupCode, users }: SettingsStore) {
  const common = { passwordHash: null, subject: null }
  const code = (await setupCode.create()) ?? ''
  const first = { ...common, name: 'Ada', email: 'ada@example.com', role: 'admin' } as const
  const admin = await setupCode.redeem(code, { ...first, passwordHash: 'no password opens this' })
  assert.ok(admin)
  const none = { ...common, role: 'none' } as const
  const lead = await users.create({ ...none, name: 'Lee', email: 'lee@example.com' })
  const member = await users.create({ ...none, name: 'Mo', email: 'mo@example.com' })
  const stranger = await users.create({ ...none, name: 'Noor', email: 'noor@example.com' })
  return { admin, lead, member, stranger }
}

async function beginSession(settings: SettingsStore, userId: string): Promise<string> {
  const expiresAt = systemClock.now() + DAY_MS
  const begun = { userId, expiresAt, agent: null, address: '127.0.0.1' }
  return (await settings.sessions.create(begun)).credential
}

interface Owned {
  readonly keyId: string
  readonly teamId: string
  readonly personId: string | null
}

const DAYS = 35

async function seedCalls(dataDir: string, owned: readonly Owned[]): Promise<void> {
  const store = await openLedgerStore({ dataDir, clock: systemClock })
  const nowMs = systemClock.now()
  const records = Array.from({ length: DAYS * owned.length }, (_, index) =>
    toRecord(owned[index % owned.length] as Owned, index, nowMs),
  )
  await store.writeBatch(batchOf(...records))
  await store.close()
}

function toRecord(key: Owned, index: number, nowMs: number): UsageRecord {
  const endedAt = nowMs - Math.floor(index / 3) * DAY_MS - (index % 3) * 1000
  const event = {
    id: createRequestId(endedAt - 900),
    keyId: key.keyId,
    model: MODELS[index % MODELS.length] ?? null,
    dims: { app: 'web', ...factsOf(key) },
    startedAt: endedAt - 900,
    endedAt,
  }
  return createRecord(event, { amount: BigInt(10 + (index % 7)) * CENT })
}
