// The job of the ledger process: the API, and beside it, in a thread of its own, the ledger. A batch
// holds its thread for a while; nobody who asks the API has to wait for it.

import { Worker } from 'node:worker_threads'

import { WeirError } from '../core/weir-error.ts'
import { openApiServer } from '../api/server.ts'
import { openSettingsStore, openUsageStore } from './backends.ts'
import { findConsoleDir } from './console-dir.ts'
import type { LedgerReport, LedgerThreadData } from './ledger-thread.ts'
import { mergeSamples } from './meter.ts'
import type { MetricSample } from './meter.ts'
import { createMetricsText } from './metrics-text.ts'
import { toUrl } from './ports.ts'
import type { RoleOptions, RunningRole } from './roles.ts'
import { resolveProviders } from './routes.ts'
import { VERSION } from './version.ts'

export interface LedgerRoleOptions extends RoleOptions {
  readonly proxyPort: number
}

export async function runLedgerRole(options: LedgerRoleOptions): Promise<RunningRole> {
  const { config, clock, meter, log } = options
  const settings = await openSettingsStore({ dataDir: config.dataDir, clock })
  const usage = await openUsageStore({ dataDir: config.dataDir, clock })
  const thread = startLedgerThread({ config })
  let report = await thread.firstReport
  thread.onReport((next) => {
    report = next
  })
  let others: readonly MetricSample[] = []
  const renderMetrics = createMetricsText(() =>
    mergeSamples([others, meter.samples(), report.samples]),
  )
  const server = await openApiServer({
    at: { fd: options.fd },
    settings,
    usage,
    clock,
    log,
    isReady: async () => report.fault,
    renderMetrics,
    consoleDir: findConsoleDir(),
    info: {
      version: VERSION,
      proxyUrl: toUrl({
        host: config.proxy.host,
        port: options.proxyPort,
        isTls: config.tls.cert !== undefined,
      }),
      providers: [...resolveProviders(config).keys()],
    },
  })
  async function close(served: Promise<void>): Promise<void> {
    await served
    await thread.drain()
    await usage.close()
    await settings.close()
  }
  let closing: Promise<void> | null = null
  return {
    metrics: (samples) => {
      others = samples
    },
    samples: () => report.samples,
    yield: () => thread.drain(),
    // The API has a limit of its own for what it is answering, and a batch is not cut.
    drain: ({ idleMs }) => {
      const served = server.close(idleMs)
      return (closing ??= close(served))
    },
  }
}

interface LedgerThread {
  readonly firstReport: Promise<LedgerReport>
  onReport(use: (report: LedgerReport) => void): void
  drain(): Promise<void>
}

function startLedgerThread(data: LedgerThreadData): LedgerThread {
  const worker = new Worker(new URL('./ledger-thread.ts', import.meta.url), { workerData: data })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const firstReport = new Promise<LedgerReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  // Without its ledger the process is of no use: it ends, and the supervisor starts it afresh.
  worker.on('error', (cause) => {
    setImmediate(() => {
      throw new WeirError('internal', 'The ledger thread failed.', { cause })
    })
  })
  return {
    firstReport,
    onReport: (use) => void worker.on('message', use),
    drain: async () => {
      worker.postMessage('drain')
      await ended
    },
  }
}
