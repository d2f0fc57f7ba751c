// The job of the API process: answers the API and the console.

import type { BlockList } from 'node:net'
import type { ApiInfo, ApiOptions } from '../api/api-options.ts'
import type { ApiHosts } from '../api/host-check.ts'
import { openApiServer } from '../api/server.ts'
import type { Completeness } from '../core/completeness.ts'
import { readJournalFault } from '../journal/journal-fault.ts'
import { openJournalReader } from '../journal/reader.ts'
import { readCompleteness } from '../ledger/read-completeness.ts'
import { createTestSender, toTargetRules } from '../alerts/alert-targets.ts'
import { checkTargetAddress, systemLookup } from '../alerts/target-address.ts'
import { openSettingsStore, openLedgerStore } from '../store/open-store.ts'
import type { Config } from '../config/config.ts'
import { findConsoleDir } from './console-dir.ts'
import { journalDir } from '../journal/journal-dir.ts'
import { openOnDemand } from './open-on-demand.ts'
import { openPatiently } from '../store/open-patiently.ts'
import type { BudgetReservations } from '../limits/limit-bank.ts'
import type { StatusUpdate } from './messages.ts'
import { mergeSamples } from './meter.ts'
import type { MetricSample } from './meter.ts'
import { createMetricsText } from './metrics-text.ts'
import { toUrl } from './ports.ts'
import { openSharedReservations } from './shared-limits.ts'
import type { RoleOptions, RunningRole } from './roles.ts'
import { resolveAddresses } from '../config/provider-addresses.ts'
import { createServiceSite } from './service-site.ts'
import { toSignInOptions } from '../config/sign-in-settings.ts'
import { createSlugOf } from '../config/slug-of.ts'
import { toSettingsPlace, toUsagePlace } from '../config/store-places.ts'
import { assert } from '../core/assert.ts'
import { parseNetworks } from '../config/networks.ts'
import { VERSION } from '../core/version.ts'

export interface ApiRoleOptions extends RoleOptions {
  readonly fd: number
  readonly proxyPort: number
}

export async function runApiRole(options: ApiRoleOptions): Promise<RunningRole> {
  const { config, clock, meter, log, signal, say } = options
  const { dataDir } = config
  const patience = { clock, signal, tell: say }
  const status = createStatus()
  const settings = await openPatiently(
    () => openSettingsStore({ ...toSettingsPlace(config), clock }),
    patience,
  )
  const ledgerStore = await openPatiently(
    () => openLedgerStore({ ...toUsagePlace(config), clock }),
    patience,
  )
  const { book: ledgerBook, usage } = ledgerStore
  const reservations = openSharedReservations(config)
  const journals = journalDir(dataDir)
  const reader = openJournalReader({ dir: journals })
  // Read for each request: what the ledger reports is half a second old, or older during a batch.
  const completeness = (): Promise<Completeness> => readCompleteness(ledgerBook, reader)
  const server = await openApiServer({
    at: { fd: options.fd },
    settings,
    usage,
    ledgerBook,
    clock,
    log,
    limitHit: (limit) => meter.add('limitsHit', 1, limit),
    isReady: async () => (await readJournalFault(journals)) ?? status.ledgerFault,
    renderMetrics: createMetricsText(() => mergeSamples([status.samples, meter.samples()])),
    completeness,
    reservations: () => reservations?.read() ?? status.reservations,
    slugOf: createSlugOf(config),
    checkTarget: toTargetCheck(config),
    sendTest: createTestSender(config),
    ...openOnDemand({
      config,
      settings,
      usage,
      clock,
      countUpdate: (result) => meter.add('priceUpdates', 1, result),
    }),
    consoleDir: findConsoleDir(),
    hosts: toHosts(config),
    trustedProxies: toTrustedProxies(config),
    countSignIn: (result) => meter.add('signIns', 1, result),
    signIn: toSignInOptions(config),
    site: createServiceSite(config, clock.now()),
    info: toInfo(config, options.proxyPort),
  })
  async function close(served: Promise<void>): Promise<void> {
    await served
    await reader.close()
    await reservations?.close()
    await ledgerStore.close()
    await settings.close()
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

function toTargetCheck({ alerts }: Config): ApiOptions['checkTarget'] {
  const rules = toTargetRules(alerts)
  const resolveNothing = () => Promise.resolve([])
  return (kind, address, { canResolve }) => {
    const lookup = canResolve ? systemLookup : resolveNothing
    return checkTargetAddress(kind, address, { ...rules, lookup })
  }
}

function toHosts({ api }: Config): ApiHosts {
  const names = api.allowedHosts.split(',').map((name) => name.trim())
  return { bound: api.host, allowed: names.filter((name) => name !== '') }
}

function toTrustedProxies({ api }: Config): BlockList {
  const networks = parseNetworks(api.trustedProxies)
  assert(networks !== null, 'The schema has checked api.trustedProxies.')
  return networks
}

function toInfo(config: Config, proxyPort: number): ApiInfo {
  const { host } = config.proxy
  return {
    version: VERSION,
    proxyUrl: toUrl({ host, port: proxyPort, isTls: config.tls.cert !== undefined }),
    providers: [...resolveAddresses(config).keys()],
  }
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
