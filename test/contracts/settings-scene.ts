// What the tests of the settings store's contract have in common: a store of their own, a clock
// that they set, decisions about a key and a budget, users, and alerts.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAlertId } from '../../src/core/alert.ts'
import type { Alert, AlertTarget } from '../../src/core/alert.ts'
import type { BudgetSettings } from '../../src/core/budget.ts'
import type { Clock } from '../../src/core/clock.ts'
import {
  parseKeyCredential,
  parseSessionCredential,
  parseTokenCredential,
} from '../../src/core/ids.ts'
import type { Actor, AuditEntry, User } from '../../src/core/user.ts'
import type { KeySettings } from '../../src/resources/codecs.ts'
import type { AuditFilter } from '../../src/store/settings/audit-store.ts'
import type { NewUser } from '../../src/store/settings/user-store.ts'
import type { LoggedDelivery } from '../../src/store/settings/alert-store.ts'
import type { SettingsStore } from '../../src/store/settings/settings-store.ts'
import type { SettingsLimits } from '../../src/store/settings/sql/tools.ts'

export interface SettingsFixture {
  readonly store: SettingsStore
  /** A further connection to the same, as another process would have it. */
  readonly reopen: () => Promise<SettingsStore>
  /** Closes every connection and removes what was stored. */
  readonly close: () => Promise<void>
}

export type OpenSettings = (clock: Clock, limits?: SettingsLimits) => Promise<SettingsFixture>

export interface Scene extends SettingsFixture {
  readonly clock: { nowMs: number }
}

export const START_MS = Date.UTC(2026, 0, 31, 12)
export const MINUTE_MS = 60_000

export const PLAIN_KEY: KeySettings = {
  name: 'search',
  teamId: null,
  personId: null,
  owner: null,
  note: null,
  costCenter: null,
  expiresAt: null,
  allowedModels: [],
  allowedProviders: [],
  useCredentials: [],
  allowDerivedTokens: false,
  defaultDims: {},
  lockedDims: {},
  requiredDims: [],
  rateLimitRpm: null,
  maxParallel: null,
}

export const FULL_KEY: KeySettings = {
  name: 'Zürich, "quoted" 😀',
  teamId: 'team_0123456789abcdef',
  personId: null,
  owner: 'ada@example.com',
  note: 'Zürich’s ranking job',
  costCenter: 'CC-4711',
  expiresAt: START_MS + MINUTE_MS,
  allowedModels: ['acme/*', 'somewhere:acme/big-*'],
  allowedProviders: ['acme'],
  useCredentials: ['acme'],
  allowDerivedTokens: true,
  defaultDims: { team: 'search, ads', constructor: 'x' },
  lockedDims: { env: 'prod' },
  requiredDims: ['team', 'app'],
  rateLimitRpm: 600,
  maxParallel: 8,
}

export const PLAIN_BUDGET: BudgetSettings = {
  name: 'everything',
  scope: { kind: 'global' },
  period: 'month',
  limit: 100_000_000_000_000n,
  thresholds: [50, 80, 100],
  each: 'none',
  isTargetsOnly: false,
  isBlocking: false,
}

export const ADA: NewUser = {
  email: 'ada@example.com',
  name: 'Ada Lovelace',
  role: 'admin',
  passwordHash: 'scrypt$hash-of-ada',
  subject: null,
}

export const BOB: NewUser = {
  email: 'bob@example.com',
  name: 'Zürich, "Bob" 😀',
  role: 'viewer',
  passwordHash: null,
  subject: { issuer: 'https://login.example.com', subject: 'bob-7' },
}

export const DAY_MS = 86_400_000

export function toNewSession({ id }: Pick<User, 'id'>) {
  return { userId: id, expiresAt: START_MS + DAY_MS, agent: 'Browser/1', address: '10.0.0.7' }
}

/** Newest first. */
export async function listAudit(
  store: SettingsStore,
  filter: Partial<AuditFilter> = {},
): Promise<readonly AuditEntry[]> {
  const all = { noun: null, actorId: null, subjectId: null }
  const page = { before: null, rowsMax: 1000 }
  return (await store.audit.list({ ...all, ...filter }, page)).entries
}

/** The number of the newest line of the audit log. */
export async function lastLine(store: SettingsStore): Promise<number> {
  return (await listAudit(store))[0]?.number ?? 0
}

export const SYSTEM: Actor = { kind: 'system', id: null, name: 'weir' }

/** One test, with a store of its own that is closed whatever comes. */
export type Run = (
  behaviour: string,
  check: (scene: Scene) => Promise<void>,
  limits?: SettingsLimits,
) => void

export function createRun(open: OpenSettings): Run {
  return (behaviour, check, limits) => {
    test(behaviour, async () => {
      const clock = { nowMs: START_MS }
      const time = { now: () => clock.nowMs, monotonic: () => clock.nowMs }
      const fixture = await open(time, limits)
      try {
        await check({ ...fixture, clock })
      } finally {
        await fixture.close()
      }
    })
  }
}

export function secretOf(credential: string): string {
  const parsed =
    parseKeyCredential(credential) ??
    parseTokenCredential(credential) ??
    parseSessionCredential(credential)
  assert.ok(parsed, 'a credential in the form of the contract')
  return parsed.secret
}

export function createAlert(number: number, change: Partial<Alert> = {}): Alert {
  return {
    id: createAlertId('test', number),
    kind: 'budget.threshold',
    budgetId: null,
    at: START_MS + number,
    body: `{"type":"budget.threshold","data":{"name":"Zürich 😀","number":${number}}}`,
    ...change,
  }
}

export async function createTarget(
  store: SettingsStore,
  budgetId: string | null,
): Promise<AlertTarget> {
  return store.targets.create({ kind: 'webhook', address: 'https://example.com/hook', budgetId })
}

export async function createBudget(store: SettingsStore): Promise<string> {
  return (await store.budgets.create(PLAIN_BUDGET)).id
}

export async function listDeliveries(store: SettingsStore): Promise<readonly LoggedDelivery[]> {
  const { alerts } = await store.alerts.list({ before: null, rowsMax: 100 })
  return alerts.flatMap(({ deliveries }) => deliveries)
}
