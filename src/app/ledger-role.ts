// The job of the ledger process: the API, and beside it, in a process of its own that gives way, the ledger. A batch
// holds its core for a while; nobody who asks the API has to wait for it.

import type { ApiInfo } from '../api/api-options.ts'
import { openApiServer } from '../api/server.ts'
import type { BudgetReport } from '../core/budget-state.ts'
import { createBreathe } from '../core/breathe.ts'
import type { Completeness } from '../core/completeness.ts'
import { openJournalReader } from '../journal/reader.ts'
import { readCompleteness } from '../ledger/read-completeness.ts'
import { openAlertDispatch } from './alert-dispatch.ts'
import { createCallerWatch } from './caller-watch.ts'
import { createTargetCheck, createTestSender } from './alert-targets.ts'
import { openSettingsStore, openUsageStore } from './backends.ts'
import { findConsoleDir } from './console-dir.ts'
import { journalDir } from './journal-dir.ts'
import { openLedgerProcess } from './open-ledger-process.ts'
import { openOnDemand } from './open-on-demand.ts'
import { openPatiently } from './open-patiently.ts'
import { openSumming } from './open-summing.ts'
import type { GateFigure } from './messages.ts'
import { mergeSamples } from './meter.ts'
import type { MetricSample } from './meter.ts'
import { createMetricsText } from './metrics-text.ts'
import { toUrl } from './ports.ts'
import type { RoleOptions, RunningRole } from './roles.ts'
import { resolveAddresses } from './provider-addresses.ts'
import { createServiceSite } from './service-site.ts'
import { toSignInOptions } from './sign-in-settings.ts'
import { createSlugOf } from './slug-of.ts'
import { VERSION } from './version.ts'

export interface LedgerRoleOptions extends RoleOptions {
  readonly proxyPort: number
  readonly onBudgets: (report: BudgetReport) => void
  /** Hears the number of the process that stores, and null when it has ended. */
  readonly onProcess: (pid: number | null) => void
}

function toInfo({ config, proxyPort }: LedgerRoleOptions): ApiInfo {
  const { host } = config.proxy
  return {
    version: VERSION,
    proxyUrl: toUrl({ host, port: proxyPort, isTls: config.tls.cert !== undefined }),
    providers: [...resolveAddresses(config).keys()],
  }
}

export async function runLedgerRole(options: LedgerRoleOptions): Promise<RunningRole> {
  const { config, clock, meter, log, signal, say } = options
  const { dataDir } = config
  const patience = { clock, signal, tell: say }
  // Callers come before whoever asks the API, too.
  const backend = { dataDir, clock, breathe: createBreathe(clock) }
  const settings = await openPatiently(() => openSettingsStore(backend), patience)
  const usage = await openPatiently(() => openUsageStore(backend), patience)
  const ledger = openLedgerProcess(options)
  let report = await ledger.firstReport
  ledger.onReport((next) => {
    report = next
  })
  const alerts = await openAlertDispatch(options, usage)
  const reader = openJournalReader({ dir: journalDir(dataDir) })
  // Read anew for whoever asks: the ledger's report is half a second old, or older while it works on a batch.
  const completeness = (): Promise<Completeness> => readCompleteness(usage, reader)
  const summing = openSumming({ dataDir, usage, clock, log })
  let others: readonly MetricSample[] = []
  const hasCallers = createCallerWatch(clock)
  let gateFigures: ReadonlyMap<string, GateFigure> = new Map()
  const renderMetrics = createMetricsText(() =>
    mergeSamples([others, meter.samples(), report.samples]),
  )
  const server = await openApiServer({
    at: { fd: options.fd },
    settings,
    usage,
    workOut: summing.workOut,
    clock,
    log,
    isReady: async () => report.fault,
    renderMetrics,
    completeness,
    gateFigures: () => gateFigures,
    slugOf: createSlugOf(config),
    checkTarget: createTargetCheck(config),
    sendTest: createTestSender(config),
    ...openOnDemand({ config, settings, usage, clock }),
    consoleDir: findConsoleDir(),
    signIn: toSignInOptions(config),
    site: createServiceSite(config, clock.now()),
    info: toInfo(options),
  })
  async function close(served: Promise<void>): Promise<void> {
    await served
    await ledger.drain()
    await alerts.close()
    await reader.close()
    await summing.close()
    await usage.close()
    await settings.close()
  }
  let closing: Promise<void> | null = null
  return {
    metrics: (samples) => {
      others = samples
      ledger.tellCallers(hasCallers(samples))
    },
    gate: (figures) => {
      gateFigures = new Map(figures.map((figure) => [figure.budgetId, figure]))
    },
    samples: () => report.samples,
    yield: async () => {
      await Promise.all([ledger.drain(), alerts.close()])
    },
    // The API has a limit of its own for what it is answering, and a batch is not cut.
    drain: ({ idleMs }) => {
      const served = server.close(idleMs)
      return (closing ??= close(served))
    },
  }
}
