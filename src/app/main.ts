// `weir start`, from the first check to the last close. What is opened here is closed here, in reverse.

import { availableParallelism } from 'node:os'

import { systemClock } from '../core/clock.ts'
import { claimAbandonedSlots } from '../journal/slots.ts'
import { openJournalWriter } from '../journal/writer.ts'
import { openSettingsStore } from './backends.ts'
import type { Config } from './config.ts'
import { holdDataDir, journalDir, openDataDir } from './data-dir.ts'
import { createMeter } from './meter.ts'
import { holdPort, toUrl } from './ports.ts'
import type { HeldPort } from './ports.ts'
import { supervise } from './supervisor.ts'
import { VERSION } from './version.ts'

/** Where everything is, once it is ready. */
export interface Started {
  readonly version: string
  readonly proxyUrl: string
  readonly apiUrl: string
  /** The one-time link of the first administrator; null unless this is the very first start. */
  readonly setupUrl: string | null
}

export interface StartOutput {
  readonly ready: (started: Started) => void
  readonly warn: (line: string) => void
}

/** Runs until a signal comes; returns the exit code. */
export async function start(config: Config, output: StartOutput): Promise<number> {
  // Listening for the end comes first: a signal during the start is a signal too.
  const { stopped, insisted } = listenForStop()
  openDataDir(config.dataDir)
  const letGo = holdDataDir(config.dataDir)
  const { host, port } = config.proxy
  const proxyPort = await holdPort({ host, port, setting: 'WEIR_PROXY' })
  const apiPort = await holdPort({ ...config.api, setting: 'WEIR_API' })
  await settleAbandonedJournals(config)
  const setupCode = await createSetupCode(config)
  const supervisor = supervise({
    config,
    workers: config.proxy.workers === 0 ? availableParallelism() : config.proxy.workers,
    proxyPort,
    apiPort,
    warn: output.warn,
  })
  let exitCode = 0
  try {
    const isReady = supervisor.ready.then(() => true)
    if (await Promise.race([isReady, stopped.then(() => false)])) {
      output.ready(toStarted({ proxyPort, apiPort, setupCode }))
      await stopped
    }
  } finally {
    // First, so that new callers are refused and look elsewhere: while we hold the ports, they would wait.
    apiPort.close()
    proxyPort.close()
    void insisted.then(() => {
      exitCode = 1
      supervisor.kill()
    })
    await supervisor.drain()
    letGo()
  }
  return exitCode
}

/** Calls that ran when the last start was killed become `interrupted`, whoever writes there next. */
async function settleAbandonedJournals(config: Config): Promise<void> {
  const dir = journalDir(config.dataDir)
  for (const slot of claimAbandonedSlots(dir)) {
    const journal = openJournalWriter({
      dir,
      worker: slot.worker,
      ...config.journal,
      meter: createMeter(),
    })
    await journal.close()
    slot.release()
  }
}

async function createSetupCode(config: Config): Promise<string | null> {
  const settings = await openSettingsStore({ dataDir: config.dataDir, clock: systemClock })
  try {
    return await settings.createSetupCode()
  } finally {
    await settings.close()
  }
}

interface Opened {
  readonly proxyPort: HeldPort
  readonly apiPort: HeldPort
  readonly setupCode: string | null
}

function toStarted({ proxyPort, apiPort, setupCode }: Opened): Started {
  const apiUrl = toUrl(apiPort)
  return {
    version: VERSION,
    proxyUrl: toUrl(proxyPort),
    apiUrl,
    setupUrl: setupCode === null ? null : `${apiUrl}/setup?code=${setupCode}`,
  }
}

/** One Ctrl-C can reach us twice, from the terminal and from npm. */
const INSIST_AFTER_MS = 1000

interface StopSignals {
  /** Resolves at the first signal, or when the launcher that started us is gone. */
  readonly stopped: Promise<void>
  /** Resolves at the second: whoever sends it will not wait for running calls. */
  readonly insisted: Promise<void>
}

function listenForStop(): StopSignals {
  const stop = Promise.withResolvers<void>()
  const insist = Promise.withResolvers<void>()
  let firstAt: number | null = null
  const hear = (): void => {
    const now = systemClock.monotonic()
    firstAt ??= now
    stop.resolve()
    if (now - firstAt > INSIST_AFTER_MS) insist.resolve()
  }
  process.on('SIGINT', hear)
  process.on('SIGTERM', hear)
  process.once('disconnect', () => stop.resolve())
  return { stopped: stop.promise, insisted: insist.promise }
}
