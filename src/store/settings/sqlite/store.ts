// The settings store in one SQLite file that several processes open and change at the same time.
// Must stay true: a change is on the disk before the call returns (synchronous=full), since a
// secret is shown only once.

import { statSync } from 'node:fs'
import { assert } from '../../../core/assert.ts'
import { BUDGETS_MAX } from '../../../core/budget.ts'
import type { Clock } from '../../../core/clock.ts'
import type { Actor } from '../../../core/user.ts'
import { WeirError } from '../../../core/weir-error.ts'
import { openSqliteFile } from '../../sqlite/file.ts'
import type { SqliteFile } from '../../sqlite/file.ts'
import { SESSIONS_MAX } from '../session-store.ts'
import { USERS_MAX } from '../user-store.ts'
import { TARGETS_MAX } from '../target-store.ts'
import { SHARED_VIEWS_MAX, VIEWS_PER_USER_MAX } from '../view-store.ts'
import { MIGRATIONS } from './migrations.ts'
import type { SettingsStore } from '../settings-store.ts'
import { createSqliteAlerts } from './alerts.ts'
import { AUDIT_LINES_MAX, createSqliteAudit, prepareAuditWriter, SYSTEM_ACTOR } from './audit.ts'
import { createSqliteBudgets } from './budgets.ts'
import { createSqliteIncidentMarks } from './incident-marks.ts'
import { createSqliteKeys } from './keys.ts'
import { createSqlitePrices } from './prices.ts'
import { createSqliteSessions } from './sessions.ts'
import { createSqliteSetupCode } from './setup-code.ts'
import { createSqliteSnapshots } from './snapshots.ts'
import { createSqliteTargets } from './targets.ts'
import { createSqliteTokens } from './tokens.ts'
import { createSqliteUsers } from './users.ts'
import { createSqliteViews } from './views.ts'

const KEYS_MAX = 100_000
const TOKENS_MAX = 10_000
const RULES_MAX = 10_000
/** A change locks the file for some milliseconds. */
const BUSY_TIMEOUT_MS = 5000

const LIMITS = {
  keysMax: KEYS_MAX,
  tokensMax: TOKENS_MAX,
  rulesMax: RULES_MAX,
  budgetsMax: BUDGETS_MAX,
  targetsMax: TARGETS_MAX,
  usersMax: USERS_MAX,
  sessionsMax: SESSIONS_MAX,
  viewsPerUserMax: VIEWS_PER_USER_MAX,
  sharedViewsMax: SHARED_VIEWS_MAX,
  auditLinesMax: AUDIT_LINES_MAX,
}

export interface SqliteSettingsOptions extends Partial<Readonly<typeof LIMITS>> {
  readonly file: string
  readonly clock: Clock
  readonly busyTimeoutMs?: number
}

export function openSqliteSettings(options: SqliteSettingsOptions): Promise<SettingsStore> {
  const { file: path, clock, ...others } = options
  const { busyTimeoutMs = BUSY_TIMEOUT_MS, ...limits } = others
  const fixed = { name: 'settings store', migrations: MIGRATIONS, busyTimeoutMs }
  return openSqliteFile({ file: path, ...fixed }, (file) => {
    const tools = { ...LIMITS, ...limits, file, clock }
    const writeAudit = prepareAuditWriter(tools, SYSTEM_ACTOR)
    const store = createStore(SYSTEM_ACTOR, tools, {
      alerts: createSqliteAlerts(tools),
      snapshots: createSqliteSnapshots({ file, clock }),
      setupCode: createSqliteSetupCode({ ...tools, writeAudit }),
      check: createCheck(file, path),
      checkpoint: async () => file.checkpoint(),
      close: async () => file.close(),
    })
    // Prepares all statements now, so that a part for another actor takes microseconds.
    assert(Object.values(store).every(Boolean), 'every part of the store can be made')
    return store
  })
}

type StoreTools = typeof LIMITS & { readonly file: SqliteFile; readonly clock: Clock }

type SharedPart = 'alerts' | 'snapshots' | 'setupCode' | 'check' | 'checkpoint' | 'close'

/** Made for every request that changes something, so each part is made on first use. */
function createStore(
  actor: Actor,
  tools: StoreTools,
  shared: Pick<SettingsStore, SharedPart>,
): SettingsStore {
  const writeAudit = prepareAuditWriter(tools, actor)
  const options = { ...tools, writeAudit, actorName: actor.name }
  const keys = once(() => createSqliteKeys(options))
  const tokens = once(() => createSqliteTokens(options))
  const prices = once(() => createSqlitePrices(options))
  const budgets = once(() => createSqliteBudgets(options))
  const targets = once(() => createSqliteTargets(options))
  const incidentMarks = once(() => createSqliteIncidentMarks(options))
  const users = once(() => createSqliteUsers(options))
  const sessions = once(() => createSqliteSessions(options))
  const views = once(() => createSqliteViews(options))
  const audit = once(() => createSqliteAudit(options))
  return {
    ...shared,
    get keys() {
      return keys()
    },
    get tokens() {
      return tokens()
    },
    get prices() {
      return prices()
    },
    get budgets() {
      return budgets()
    },
    get targets() {
      return targets()
    },
    get incidentMarks() {
      return incidentMarks()
    },
    get users() {
      return users()
    },
    get sessions() {
      return sessions()
    },
    get views() {
      return views()
    },
    get audit() {
      return audit()
    },
    as: (other) => createStore(other, tools, shared),
  }
}

function once<Part>(create: () => Part): () => Part {
  let part: Part | undefined
  return () => (part ??= create())
}

function createCheck(file: SqliteFile, path: string): SettingsStore['check'] {
  const idAtOpen = readFileId(path)
  return async () => {
    // A replaced file stays open for us alone: no other process would see our changes.
    if (readFileId(path) !== idAtOpen) {
      return `${file.title} was moved or replaced while in use; restart Weir.`
    }
    try {
      const row = file.prepare<{ quick_check: string }>('PRAGMA quick_check(1)').first()
      return row?.quick_check === 'ok' ? null : `${file.title} is damaged: ${row?.quick_check}.`
    } catch (error) {
      if (error instanceof WeirError) return error.message
      throw error
    }
  }
}

/** Device and inode; null when the file is gone. */
function readFileId(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.dev}:${stats.ino}`
}
