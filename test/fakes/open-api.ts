// The API on a loopback port over real stores in a temporary directory, with a clock that tests
// set.

import { subscribe } from 'node:diagnostics_channel'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ApiOptions } from '../../src/api/api-options.ts'
import { openApiServer } from '../../src/api/server.ts'
import { loadConfig } from '../../src/config/config.ts'
import { openOnDemand } from '../../src/app/configured-api.ts'
import type { TokenScope } from '../../src/core/api-key.ts'
import type { Clock } from '../../src/core/clock.ts'
import type { SettingsStore } from '../../src/store/settings/settings-store.ts'
import { openSqliteSettings } from '../../src/store/settings/sqlite/store.ts'
import { openSqliteLedger } from '../../src/store/ledger/sqlite/store.ts'
import type { LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import type { UsageStore } from '../../src/store/usage/usage-store.ts'
import { layEmptyStore } from './sqlite/empty-stores.ts'
import { SITE } from './service-info.ts'
import { SIGN_IN } from './sign-in-options.ts'

/** Of passwords: enough to tell one from another. */
export const CHEAP_COST = { rounds: 16, blocks: 1, lanes: 1 }

export interface SettableClock extends Clock {
  nowMs: number
  monotonicMs: number
}

export interface OpenApi {
  readonly url: string
  /** A data directory: `settings.db` and `usage.db`. */
  readonly dir: string
  readonly clock: SettableClock
  readonly settings: SettingsStore
  readonly usage: UsageStore
  /** Writes to it. */
  readonly store: LedgerStore
  /** What was logged, a line each. */
  readonly logged: readonly string[]
  /** An `Authorization` header of a new token with these scopes. */
  authorize(...scopes: readonly TokenScope[]): Promise<string>
  get(path: string, authorization?: string): Promise<Response>
  close(): Promise<void>
}

type Change = (stores: Pick<ApiOptions, 'settings' | 'usage'>) => Partial<ApiOptions>

export async function openApi(nowMs: number, change: Change = () => ({})): Promise<OpenApi> {
  const dir = mkdtempSync(join(tmpdir(), 'weir-api-'))
  const clock: SettableClock = {
    nowMs,
    monotonicMs: 0,
    now: () => clock.nowMs,
    monotonic: () => clock.monotonicMs,
  }
  const api = await openOver({ dir, clock }, change)
  return {
    ...api,
    close: async () => {
      await api.close()
      rmSync(dir, { recursive: true })
    },
  }
}

/**
 * A further one on the same files and clock, with connections of its own, as another process would
 * have them.
 */
export function openApiBeside(
  api: Pick<OpenApi, 'dir' | 'clock'>,
  change: Change = () => ({}),
): Promise<OpenApi> {
  return openOver(api, change)
}

/** Price data is published nowhere: no test leaves this machine. */
export function toEnv(dir: string) {
  return { WEIR_DATA_DIR: dir, WEIR_PRICES_UPDATE_URL: 'http://127.0.0.1:1/data.json' }
}

const ports = new Set<number>()
// API and caller are one process here: one that was busy for five seconds would ask on a connection
// that it also ends at this moment for having been idle.
subscribe('http.server.request.start', (message) => {
  const { server } = message as { readonly server: Server }
  if (ports.has((server.address() as AddressInfo | null)?.port ?? 0)) server.keepAliveTimeout = 0
})

async function openOver(
  { dir, clock }: Pick<OpenApi, 'dir' | 'clock'>,
  change: Change,
): Promise<OpenApi> {
  const [settingsFile, usageFile] = [join(dir, 'settings.db'), join(dir, 'usage.db')]
  await layEmptyStore('settings', settingsFile)
  await layEmptyStore('usage', usageFile)
  const settings = await openSqliteSettings({ file: settingsFile, clock })
  const store = await openSqliteLedger({ file: usageFile })
  const { progress: ledgerProgress, usage } = store
  const logged: string[] = []
  const note = (fields: object, message: string): void => {
    logged.push(`${message} ${JSON.stringify(fields)}`)
  }
  const server = await openApiServer({
    at: { host: '127.0.0.1', port: 0 },
    settings,
    usage,
    ledgerProgress,
    clock,
    passwordCost: CHEAP_COST,
    isReady: () => Promise.resolve(null),
    completeness: () =>
      Promise.resolve({ forwarded: 0, recorded: 0, pending: 0, dead: 0, lost: 0 }),
    renderMetrics: () => Promise.resolve(''),
    slugOf: (provider, model) => `${provider}/${model}`,
    checkTarget: () => Promise.resolve(null),
    sendTest: () => Promise.resolve({ isDelivered: true, detail: '200' }),
    info: { version: '1.2.3', proxyUrl: 'http://127.0.0.1:7070', providers: [] },
    consoleDir: null,
    ...openOnDemand({ config: loadConfig({ env: toEnv(dir), cwd: dir }), settings, usage, clock }),
    signIn: SIGN_IN,
    site: SITE,
    log: { warn: note, error: note },
    ...change({ settings, usage }),
  })
  ports.add(server.port)
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    dir,
    clock,
    settings,
    usage,
    store,
    logged,
    authorize: async (...scopes) => {
      const made = await settings.tokens.create({
        name: 'test',
        scopes,
        teamId: null,
        expiresAt: null,
      })
      return `Bearer ${made.credential}`
    },
    get: (path, authorization) =>
      fetch(url + path, { headers: authorization === undefined ? {} : { authorization } }),
    close: async () => {
      await server.close()
      await store.close()
      await settings.close()
    },
  }
}
