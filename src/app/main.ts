// `weir start`, from the first check to the last close. What is opened here is closed in reverse.

import { systemClock } from '../core/clock.ts'
import { settleAbandonedJournals } from '../ledger/abandoned-journals.ts'
import { openSettingsStore } from '../store/open-store.ts'
import type { Config } from '../config/config.ts'
import { toSettingsPlace } from '../config/store-places.ts'
import { lockDataDir, openDataDir } from '../backup/data-dir.ts'
import { createMeter } from './meter.ts'
import { openPatiently } from '../store/open-patiently.ts'
import type { PatienceOptions } from '../store/open-patiently.ts'
import { bindPort, toUrl } from './ports.ts'
import type { BoundPort } from './ports.ts'
import { createReloader } from './reload.ts'
import { createProcessStarter } from './role-process.ts'
import { listenForSignals } from './signals.ts'
import { Supervisor } from './supervisor.ts'
import { VERSION } from '../core/version.ts'

export interface Started {
  readonly version: string
  readonly proxyUrl: string
  readonly apiUrl: string
  /** The one-time link of the first administrator; null unless this is the very first start. */
  readonly setupUrl: string | null
}

export interface StartOutput {
  readonly ready: (started: Started) => void
  readonly say: (line: string) => void
}

/** Runs until a signal comes; returns the exit code. `load` is called again at each SIGHUP. */
export async function start(load: () => Config, output: StartOutput): Promise<number> {
  const config = load()
  // Listening for the end comes first: a signal during the start is a signal too.
  const { stopped, insisted, onReload } = listenForSignals()
  openDataDir(config.dataDir)
  const release = lockDataDir(config.dataDir)
  const { host, port } = config.proxy
  const proxyPort = await bindPort({ host, port, setting: 'WEIR_PROXY' })
  const apiPort = await bindPort({ ...config.api, setting: 'WEIR_API' })
  const { say } = output
  await settleAbandonedJournals(config, { clock: systemClock, meter: createMeter() })
  const stopping = new AbortController()
  void stopped.then(() => stopping.abort())
  const setupCode = await createSetupCode(config, { signal: stopping.signal, tell: say })
  const meter = createMeter()
  const start = createProcessStarter({ proxy: proxyPort, api: apiPort }, say)
  const supervisor = new Supervisor({ config, start, clock: systemClock, meter, say })
  const reload = createReloader({ load, config, supervisor, meter, say })
  let exitCode = 0
  try {
    const isReady = supervisor.ready.then(() => true)
    if (await Promise.race([isReady, stopped.then(() => false)])) {
      output.ready(toStarted({ config, proxyPort, apiPort, setupCode }))
      onReload(() => void reload())
      await stopped
    }
  } finally {
    // First, so that new callers are refused and try elsewhere instead of waiting on an open port.
    apiPort.close()
    proxyPort.close()
    void insisted.then(() => {
      exitCode = 1
      supervisor.kill()
    })
    await supervisor.drain()
    release()
  }
  return exitCode
}

/** A settings store that is locked for a moment must not keep the service from starting. */
function createSetupCode(
  config: Config,
  patience: Pick<PatienceOptions, 'signal' | 'tell'>,
): Promise<string | null> {
  const clock = systemClock
  const create = async (): Promise<string | null> => {
    const settings = await openSettingsStore({ ...toSettingsPlace(config), clock })
    try {
      return await settings.setupCode.create()
    } finally {
      await settings.close()
    }
  }
  return openPatiently(create, { ...patience, clock })
}

interface Opened {
  readonly config: Config
  readonly proxyPort: BoundPort
  readonly apiPort: BoundPort
  readonly setupCode: string | null
}

function toStarted({ config, proxyPort, apiPort, setupCode }: Opened): Started {
  const apiUrl = toUrl(apiPort)
  return {
    version: VERSION,
    proxyUrl: toUrl({ ...proxyPort, isTls: config.tls.cert !== undefined }),
    apiUrl,
    setupUrl: setupCode === null ? null : `${apiUrl}/setup?code=${setupCode}`,
  }
}
