// The job of the API process: answers the API and the console.

import { existsSync } from 'node:fs'
import type { BlockList } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ApiOptions } from '../api/api-options.ts'
import type { ApiHosts } from '../api/host-check.ts'
import type { Config } from '../config/config.ts'
import { isShared } from '../config/store-locations.ts'
import { openWaitingApiServer } from '../api/server.ts'
import { openApiStores } from './api-stores.ts'
import type { ApiStores } from './api-stores.ts'
import { toConfiguredApi } from './configured-api.ts'
import { describeOffset } from './nodes/clock-offset.ts'
import type { BudgetReservations } from '../limits/limit-bank.ts'
import type { Addresses, StatusUpdate } from './messages.ts'
import { mergeSamples } from './meter.ts'
import type { MetricSample } from './meter.ts'
import { createMetricsText } from './metrics-text.ts'
import type { RoleOptions, RunningRole } from './roles.ts'
import { createServiceInfo } from './service-info.ts'
import { toPublicUrl } from '../config/sign-in-urls.ts'
import { toSignInOptions } from '../config/sign-in-settings.ts'
import { assert } from '../core/assert.ts'
import { parseNetworks } from '../config/networks.ts'

export interface ApiRoleOptions extends RoleOptions {
  readonly fd: number
  readonly addresses: Addresses
}

export async function runApiRole(options: ApiRoleOptions): Promise<RunningRole> {
  const { config, meter, log, say } = options
  const status = createStatus()
  const away = Promise.withResolvers<void>()
  const opening = openApiStores(options, (reason) => {
    say(reason)
    away.resolve()
  })
  const limitHit: ApiOptions['limitHit'] = (limit) => meter.add('limitsHit', 1, limit)
  // Files are opened before the first request; for a database that is away, requests do not wait.
  await (isShared(config) ? Promise.race([opening, away.promise]) : opening)
  const server = await openWaitingApiServer({
    at: { fd: options.fd },
    tls: options.tls.api,
    handshakeFailed: () => meter.add('tlsFailures', 1),
    log,
    limitHit,
  })
  // Not awaited: a failure ends the process, which is started again.
  const serving = opening.then(async (stores) => {
    if (stores === null) return null
    server.serve(toApiOptions(options, stores, status))
    if (stores.nodes === null) return { stores, leader: null }
    const { openLeaderOf } = await import('./nodes/leader-work.ts')
    return { stores, leader: openLeaderOf(options, stores) }
  })
  async function close(served: Promise<void>): Promise<void> {
    const opened = await serving
    await opened?.leader?.close()
    await served
    await opened?.stores.close()
  }
  let closing: Promise<void> | null = null
  return {
    onStatus: status.update,
    // The API has a limit of its own for what it is answering.
    drain: ({ idleMs }) => {
      const served = server.close(idleMs)
      return (closing ??= close(served))
    },
  }
}

function toApiOptions(
  options: ApiRoleOptions,
  stores: ApiStores,
  status: ReturnType<typeof createStatus>,
): ApiOptions {
  const { config, clock, meter, log } = options
  const { settings, ledgerStore, completeness } = stores
  const { progress: ledgerProgress, usage } = ledgerStore
  return {
    settings,
    usage,
    ledgerProgress,
    // So that nodes whose clocks differ agree on what has expired.
    clock: settings.clock,
    log,
    isReady: async () => (await stores.findFault()) ?? status.ledgerFault,
    // Calls and this API's own log are dated by it; figures go by the database's.
    listWarnings: () => {
      const warning = describeOffset(-settings.clock.offsetMs())
      return warning === null ? [] : [warning]
    },
    renderMetrics: createMetricsText(
      () => mergeSamples([status.samples, meter.samples()]),
      'weir_api_',
    ),
    completeness,
    ...(stores.nodes !== null && { nodes: stores.nodes }),
    reservations: () => stores.reservations?.read() ?? status.reservations,
    ...toConfiguredApi({
      config,
      settings,
      usage,
      clock,
      countUpdate: (result) => meter.add('priceUpdates', 1, result),
      proxyPort: options.addresses.proxyPort,
    }),
    longQuestions: stores.threads,
    consoleDir: findConsoleDir(),
    hosts: toHosts(config),
    trustedProxies: toTrustedProxies(config),
    countSignIn: (result) => meter.add('signIns', 1, result),
    countUnknownGroups: (count) => meter.add('unknownGroups', count),
    signIn: toSignInOptions(config),
    ...toAgents(config, options.addresses),
    site: createServiceInfo(config, { clock, ...stores }),
  }
}

/** Null when the console has not been built. */
function findConsoleDir(): string | null {
  const dir = fileURLToPath(new URL('../../console/dist', import.meta.url))
  return existsSync(`${dir}/index.html`) ? dir : null
}

function toHosts({ api }: Config): ApiHosts {
  const names = api.allowedHosts.split(',').map((name) => name.trim())
  return { bound: api.host, allowed: names.filter((name) => name !== '') }
}

function toAgents(
  { agents, proxy }: Config,
  { relaySecret }: Addresses,
): Pick<ApiOptions, 'agents'> {
  const { signIn, managedSettings = null } = agents
  if (signIn.claude === 'off') return {}
  const publicUrl = proxy.publicUrl === undefined ? null : toPublicUrl(proxy.publicUrl)
  return { agents: { provider: signIn.provider, publicUrl, relaySecret, managedSettings } }
}

function toTrustedProxies({ api }: Config): BlockList {
  const networks = parseNetworks(api.trustedProxies)
  assert(networks !== null, 'The schema has checked api.trustedProxies.')
  return networks
}

function createStatus() {
  const status = {
    ledgerFault: null as string | null,
    samples: [] as readonly MetricSample[],
    reservations: new Map() as ReadonlyMap<string, BudgetReservations>,
    update: (update: StatusUpdate): void => {
      if (update.kind === 'ledgerFault') status.ledgerFault = update.fault
      if (update.kind === 'metrics') status.samples = update.samples
      if (update.kind !== 'reservations') return
      status.reservations = new Map(update.figures.map((figure) => [figure.budgetId, figure]))
    },
  }
  return status
}
