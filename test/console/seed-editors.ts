// Two administrators who edit the same things, each signed in, and what they edit.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'

import { createPasswords } from '../../src/accounts/passwords.ts'
import { systemClock } from '../../src/core/clock.ts'
import { OPEN_KEY } from '../../src/resources/codecs.ts'
import { openSettingsStore } from '../../src/store/open-store.ts'
import type { SettingsStore } from '../../src/store/settings/settings-store.ts'

export const ADA = { email: 'ada@example.com', password: 'a river runs downhill' }
export const BOB = { email: 'bob@example.com', password: 'a weir holds it back' }

export interface Editors {
  /** Of their sessions. */
  readonly ada: string
  readonly bob: string
  /** Of a token that may do everything. */
  readonly token: string
  readonly keyId: string
  readonly budgetId: string
}

const DAY_MS = 86_400_000

export async function seedEditors(dataDir: string): Promise<Editors> {
  mkdirSync(dataDir, { recursive: true })
  const settings = await openSettingsStore({ dataDir, clock: systemClock })
  try {
    const code = (await settings.setupCode.create()) ?? ''
    const ada = await settings.setupCode.redeem(code, await toUser('Ada', ADA))
    assert.ok(ada)
    const bob = await settings.users.create(await toUser('Bob', BOB))
    const { key } = await settings.keys.create({ ...OPEN_KEY, name: 'Search', rateLimitRpm: 10 })
    const budget = await settings.budgets.create({
      name: 'Everything',
      scope: { kind: 'global' },
      period: 'month',
      limit: 100n * 10n ** 12n,
      thresholds: [80, 100],
      each: 'none',
      isTargetsOnly: false,
      isBlocking: false,
    })
    const all = { name: 'all', scopes: ['admin' as const], teamId: null, expiresAt: null }
    const { credential: token } = await settings.tokens.create(all)
    const [one, other] = [
      await beginSession(settings, ada.id),
      await beginSession(settings, bob.id),
    ]
    return { ada: one, bob: other, token, keyId: key.id, budgetId: budget.id }
  } finally {
    await settings.close()
  }
}

async function toUser(name: string, { email, password }: typeof ADA) {
  const passwordHash = await createPasswords().hash(password)
  return { name, email, role: 'admin' as const, passwordHash, subject: null }
}

async function beginSession(settings: SettingsStore, userId: string): Promise<string> {
  const expiresAt = systemClock.now() + DAY_MS
  const begun = { userId, expiresAt, agent: null, address: '127.0.0.1' }
  return (await settings.sessions.create(begun)).credential
}
