// `weir start`, `weir proxy` and `weir api`, from the first check to the last close. What is opened
// here is closed in reverse.

import { systemClock } from '../core/clock.ts'
import { settleAbandonedJournals } from '../ledger/abandoned-journals.ts'
import type { NodeRole } from '../store/nodes/node-store.ts'
import type { Config } from '../config/config.ts'
import { checkProviderCredentials } from '../config/provider-credentials.ts'
import { toConsoleUrl } from '../config/sign-in-settings.ts'
import { isShared } from '../config/store-locations.ts'
import { WeirError } from '../core/weir-error.ts'
import { writeDrainResult } from './nodes/drain-request.ts'
import type { DrainRequest } from './nodes/drain-request.ts'
import { createMeter } from './meter.ts'
import { claimNode } from './nodes/claim-identity.ts'
import { bindNodePorts, openNodePlace } from './nodes/own-node.ts'
import { openNodeHeartbeat } from './nodes/node-heartbeat.ts'
import type { NodeHeartbeat } from './nodes/node-heartbeat.ts'
import { giveBackMemory } from './memory/process-memory.ts'
import { createReloader } from './reload.ts'
import { createProcessStarter } from './role-process.ts'
import { createSetupCode, toSetupUrl } from './nodes/setup-code.ts'
import { openLeases } from './shared-limits.ts'
import { listenForSignals } from './signals.ts'
import { Supervisor } from './supervisor.ts'
import { VERSION } from '../core/version.ts'

export interface Started {
  readonly version: string
  /** Null where this node has none. */
  readonly proxyUrl: string | null
  readonly apiUrl: string | null
  readonly statusUrl: string | null
  /** The one-time link of the first administrator; null unless this is the very first start. */
  readonly setupUrl: string | null
}

export interface StartOptions {
  readonly role: NodeRole
  /** Called again at each SIGHUP. */
  readonly load: () => Config
  readonly ready: (started: Started) => void
  readonly say: (line: string) => void
}

/** Runs until a signal comes, or a request to drain; returns the exit code. */
export async function start({ role, ready, say, ...options }: StartOptions): Promise<number> {
  const load = (): Config => loadFor(role, options.load)
  const config = load()
  requireDatabase(config, role)
  // Listening for the end comes first: a signal during the start is a signal too.
  const { stopped, insisted, onReload } = listenForSignals()
  const stopping = new AbortController()
  void stopped.then(() => stopping.abort())
  const clock = systemClock
  const place = openNodePlace(config, role)
  const ports = await bindNodePorts(config, role)
  const isClaimed = await claimNode(config, place, { say, signal: stopping.signal })
  if (place.hasJournals) await settleAbandonedJournals(config, { clock, meter: createMeter() })
  const patience = { signal: stopping.signal, tell: say }
  const setupCode = role === 'all' ? await createSetupCode(config, patience) : null
  const meter = createMeter()
  const { node, claim } = place
  const startProcess = createProcessStarter({ ports, node, say })
  const supervisor = new Supervisor({
    config,
    nodeRole: role,
    start: startProcess,
    leases: place.hasJournals ? await openLeases(config) : null,
    isClaimed,
    clock,
    meter,
    say,
  })
  const reload = createReloader({ load, config, supervisor, meter, say })
  let exitCode = 0
  let site: NodeHeartbeat | null = null
  let drain: DrainRequest | null = null
  try {
    site = await openNodeHeartbeat({ node, claim, supervisor, clock, say })
    const isReady = supervisor.ready.then(() => true)
    if (await Promise.race([isReady, stopped.then(() => false)])) {
      const { proxyUrl, apiUrl } = ports
      const setupUrl =
        setupCode === null || apiUrl === null
          ? null
          : toSetupUrl(toConsoleUrl(config) ?? apiUrl, setupCode)
      ready({ version: VERSION, proxyUrl, apiUrl, statusUrl: site.statusUrl, setupUrl })
      onReload(() => void reload())
      giveBackMemory('supervisor')
      drain = await Promise.race([stopped.then(() => null), place.drainRequested])
    }
  } finally {
    // First, so that new callers are refused and try elsewhere instead of waiting on an open port.
    ports.close()
    site?.drain()
    void insisted.then(() => {
      exitCode = 1
      supervisor.kill()
    })
    await supervisor.drain(drain?.timeoutMs)
    const { health } = supervisor
    if (drain !== null && health.isExact) {
      writeDrainResult(config.dataDir, await health.measureJournal())
    }
    await site?.close()
    place.close()
  }
  return exitCode
}

/** Only proxies use credentials, so other nodes need not have them. */
function loadFor(role: NodeRole, load: () => Config): Config {
  const config = load()
  if (role !== 'api') checkProviderCredentials(config)
  return config
}

/** A node of its own makes sense only beside others, which need a database to share. */
function requireDatabase(config: Config, role: NodeRole): void {
  if (role === 'all' || isShared(config)) return
  throw new WeirError(
    'invalid_config',
    `weir ${role} is for nodes that share a PostgreSQL database, and settings.url is not set.`,
    { hint: 'Set WEIR_SETTINGS_URL, or run weir start, which does everything on SQLite.' },
  )
}
