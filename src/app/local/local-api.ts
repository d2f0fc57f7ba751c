// The API's routes in this process: what commands call on the machine that has the data. Must stay
// true: nothing listens, only what is called is loaded and opened, and what changes is done in the
// name of the system's user.

import { EventEmitter } from 'node:events'
import { Hono } from 'hono'
import { createCommandActor } from '../../accounts/command-actor.ts'
import { addRoutes } from '../../api/add-routes.ts'
import type { ApiServices } from '../../api/api-options.ts'
import type { ApiRoute } from '../../api/define-route.ts'
import { createExportSlots } from '../../api/exports/export-slots.ts'
import { createKeyDirectory } from '../../api/keys/key-directory.ts'
import type { LongQuestions } from '../../api/questions/long-questions.ts'
import { createSilentNodesHeader, FIGURE_PATHS } from '../../api/service/silent-nodes.ts'
import { createTeamDirectory } from '../../api/teams/team-directory.ts'
import type { Config } from '../../config/config.ts'
import { toSettingsLocation, toUsageLocation } from '../../config/store-locations.ts'
import type { Caller } from '../../core/caller.ts'
import type { Clock } from '../../core/clock.ts'
import { WeirError } from '../../core/weir-error.ts'
import {
  hasSettingsStore,
  openLedgerStore,
  openNodeStore,
  openSettingsStore,
} from '../../store/open-store.ts'
import type { NodeStore, SettingsStore } from '../../store/open-store.ts'
import type { PriceStore } from '../../store/settings/price-store.ts'
import { toConfiguredApi } from '../configured-api.ts'
import { requireStores } from './require-data-dir.ts'

export interface LocalApi {
  /** Rejects with what a route refused, as it was thrown. */
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

export interface LocalApiOptions {
  readonly config: Config
  readonly clock: Clock
  /** Makes the data directory where there is none. Left out: that is refused. */
  readonly canCreate?: boolean | undefined
  /** Listed prices are answered where there is no data directory, too. */
  readonly worksWithoutData?: boolean | undefined
  /** Called with the calls that a long change has looked at. */
  readonly onProgress?: (calls: number) => void
}

type Routes = readonly ApiRoute[]

const readSessionRoutes = async (): Promise<Routes> =>
  (await import('../../api/sessions/session-routes.ts')).AGENT_SESSION_ROUTES

/** By the word behind /v1/. */
const ROUTES: Readonly<Record<string, () => Promise<Routes>>> = {
  keys: async () => (await import('../../api/keys/key-routes.ts')).KEY_ROUTES,
  tokens: async () => (await import('../../api/keys/token-routes.ts')).TOKEN_ROUTES,
  teams: async () => [
    ...(await import('../../api/teams/team-routes.ts')).TEAM_ROUTES,
    ...(await import('../../api/teams/key-budget-routes.ts')).TEAM_BUDGET_ROUTES,
  ],
  'team-adoptions': async () => (await import('../../api/teams/adopt-routes.ts')).ADOPT_ROUTES,
  users: async () => (await import('../../api/accounts/user-routes.ts')).USER_ROUTES,
  budgets: async () => (await import('../../api/budgets/budget-routes.ts')).BUDGET_ROUTES,
  asks: async () => (await import('../../api/asks/ask-routes.ts')).ASK_ROUTES,
  'budget-members': async () => (await import('../../api/budgets/budget-routes.ts')).BUDGET_ROUTES,
  targets: async () => (await import('../../api/budgets/alert-routes.ts')).ALERT_ROUTES,
  alerts: async () => [
    ...(await import('../../api/budgets/alert-routes.ts')).ALERT_ROUTES,
    ...(await import('../../api/budgets/incident-routes.ts')).INCIDENT_ROUTES,
  ],
  nodes: async () => (await import('../../api/nodes/node-routes.ts')).NODE_ROUTES,
  prices: async () => [
    ...(await import('../../api/prices/price-routes.ts')).PRICE_ROUTES,
    ...(await import('../../api/prices/price-data-routes.ts')).PRICE_DATA_ROUTES,
  ],
  usage: async () => (await import('../../api/usage/usage-routes.ts')).USAGE_ROUTES,
  breakdown: async () => (await import('../../api/usage/breakdown-routes.ts')).BREAKDOWN_ROUTES,
  overview: async () => (await import('../../api/usage/overview-routes.ts')).OVERVIEW_ROUTES,
  analysis: async () => (await import('../../api/analysis/analysis-routes.ts')).ANALYSIS_ROUTES,
  requests: async () => (await import('../../api/requests/request-routes.ts')).REQUEST_ROUTES,
  'agent-sessions': readSessionRoutes,
  developers: readSessionRoutes,
  audit: async () => (await import('../../api/accounts/audit-routes.ts')).AUDIT_ROUTES,
  exports: async () => [
    ...(await import('../../api/accounts/audit-routes.ts')).AUDIT_ROUTES,
    ...(await import('../../api/analysis/analysis-routes.ts')).ANALYSIS_ROUTES,
    ...(await import('../../api/exports/export-routes.ts')).EXPORT_ROUTES,
    ...(await import('../../api/exports/call-file-routes.ts')).CALL_FILE_ROUTES,
  ],
}

/** These read settings alone: they work where usage is elsewhere and away. */
const SETTINGS_ONLY =
  /^(?:\w+ \/v1\/(?:teams|tokens|users|targets|alerts|nodes|audit|exports\/audit)\b|(?:POST|PATCH) \/v1\/keys\b(?!\/check)|\w+ \/v1\/prices(?:\/rules.*|\/history|\/export\.json|\/imported)?$)/

export async function openLocalApi(options: LocalApiOptions): Promise<LocalApi> {
  const { config, clock } = options
  const opened: { close(): Promise<void> }[] = []
  const settings = await openSettings(options)
  opened.push(settings)
  let usage: Promise<void> | null = null
  const { url } = toSettingsLocation(config)
  let nodeStore: Promise<NodeStore> | null = null
  const openNodes = (): Promise<NodeStore> =>
    (nodeStore ??= openNodeStore({ url: url ?? '' }).then((store) => {
      opened.push(store)
      return store
    }))
  const nodes: ApiServices['nodes'] = {
    list: async () => (await openNodes()).list(),
    forget: async (...asked) => (await openNodes()).forget(...asked),
  }
  const services = {
    ...createServices(options, settings),
    ...(url !== null && { nodes }),
    // Asked beside settings: which models were used, for warnings about a key's patterns.
    questions: {
      writeAnalysis: async (...asked) => {
        await (usage ??= openUsage())
        return services.questions.writeAnalysis(...asked)
      },
    } as LongQuestions,
  }
  async function openUsage(): Promise<void> {
    const store = await openLedgerStore({ ...toUsageLocation(config), clock, hasJournals: false })
    opened.push(store)
    const { toUsageServices } = await import('./local-usage.ts')
    Object.assign(services, toUsageServices(options, { settings, ...store, nodes: services.nodes }))
  }
  const apps = new Map<string, Promise<Hono>>()
  return {
    async fetch(request) {
      const { pathname } = new URL(request.url)
      if (!SETTINGS_ONLY.test(`${request.method} ${pathname}`)) await (usage ??= openUsage())
      const noun = pathname.split('/')[2] ?? ''
      const app = apps.get(noun) ?? createApp(noun, services)
      apps.set(noun, app)
      const connection = createConnection()
      const response = await (await app).fetch(request, { outgoing: connection })
      return connection.guard(response)
    },
    async close() {
      for (const each of opened.toReversed()) await each.close()
    },
  }
}

async function openSettings(options: LocalApiOptions): Promise<SettingsStore> {
  const { config, clock, canCreate = false, worksWithoutData = false } = options
  const place = toSettingsLocation(config)
  if (worksWithoutData && !hasSettingsStore(place)) return NO_SETTINGS as SettingsStore
  requireStores(config, { canCreate })
  return openSettingsStore({ ...place, clock })
}

/** Nobody has set or imported a price yet. */
const NO_SETTINGS: Partial<SettingsStore> = {
  prices: {
    readChanges: () => Promise.resolve({ revision: 0, rules: [], imported: null }),
  } as Partial<PriceStore> as PriceStore,
  as: () => NO_SETTINGS as SettingsStore,
  close: () => Promise.resolve(),
}

async function createApp(noun: string, services: ApiServices): Promise<Hono> {
  const app = new Hono()
  app.onError((error) => {
    throw error
  })
  const path = FIGURE_PATHS.find((each) => each === `/v1/${noun}`)
  if (path !== undefined) {
    app.use(
      `${path}/*`,
      createSilentNodesHeader(() => services.silentNodes()),
    )
  }
  addRoutes(app, (await ROUTES[noun]?.()) ?? [], services)
  return app
}

function createCaller(): Caller {
  const { name } = createCommandActor()
  return { kind: 'command', id: 'command', name, userId: null, scopes: ['admin'], sight: null }
}

/** What sign-in, rate limits and the reference need is left out: no command calls their routes. */
function createServices(options: LocalApiOptions, settings: SettingsStore): ApiServices {
  const { clock } = options
  const services: Partial<ApiServices> = {
    settings,
    clock,
    caller: createCaller(),
    sight: null,
    keyDirectory: createKeyDirectory(settings),
    teamDirectory: createTeamDirectory(settings),
    silentNodes: () => Promise.resolve([]),
    exportSlots: createExportSlots(1),
    log: { warn: () => undefined, error: () => undefined },
    ...toConfiguredApi({ ...options, isAlone: true, settings, usage: NOT_OPEN as never }),
  }
  return services as ApiServices
}

/** A route that asks it belongs among those that open it. */
const NOT_OPEN = {}

/** Stands for the connection of a request: a file that is broken off must not look whole. */
function createConnection() {
  let isBroken = false
  const outgoing = Object.assign(new EventEmitter(), {
    closed: false,
    writableLength: 0,
    setTimeout: () => undefined,
    destroy: () => {
      isBroken = true
    },
  })
  const guard = (response: Response): Response => {
    const check = new TransformStream<Uint8Array, Uint8Array>({
      flush: () => {
        if (isBroken) throw new WeirError('store_unusable', 'The record could not be read on.')
      },
    })
    return new Response(response.body?.pipeThrough(check) ?? null, response)
  }
  return Object.assign(outgoing, { guard })
}
