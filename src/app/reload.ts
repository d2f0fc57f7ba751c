// Reads the configuration again and applies it. Must stay true: a configuration with a fault, or
// with a change that a running program cannot make, changes nothing.

import type { Meter } from '../core/telemetry.ts'
import { WeirError } from '../core/weir-error.ts'
import type { Config } from '../config/config.ts'
import type { Supervisor } from './supervisor.ts'

export interface ReloaderOptions {
  readonly load: () => Config
  readonly config: Config
  readonly supervisor: Pick<Supervisor, 'reload'>
  readonly meter: Meter
  readonly say: (line: string) => void
}

/** Requests during a reload cause one more after it, which reads the file then: the last wins. */
export function createReloader(options: ReloaderOptions): () => Promise<void> {
  const { meter, say } = options
  let inForce = options.config
  let isWanted = false
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    while (isWanted) {
      isWanted = false
      await reloadOnce()
    }
    running = null
  }

  async function reloadOnce(): Promise<void> {
    const loaded = load(options.load)
    if (typeof loaded === 'string') return refuse(loaded)
    const fixed = findFixedChanges(inForce, loaded)
    if (fixed.length > 0) return refuse(`${fixed.join(', ')}: a change here needs a restart`)
    const outcome = await options.supervisor.reload(loaded)
    switch (outcome.kind) {
      case 'done':
        inForce = loaded
        meter.add('reloads', 1, 'done')
        return say(`configuration reloaded; ${toCount(outcome.workers)} replaced`)
      case 'refused':
        return refuse(outcome.reason)
      case 'failed':
        meter.add('reloads', 1, 'failed')
        return say(
          `the configuration was reloaded in part: ${outcome.reason}; ${toCount(outcome.workers)} replaced, the others go on as they were`,
        )
      case 'ended':
        return undefined
    }
  }

  function refuse(reason: string): void {
    meter.add('reloads', 1, 'refused')
    say(`the configuration was not reloaded, nothing has changed: ${reason}`)
  }

  return () => {
    isWanted = true
    return (running ??= run())
  }
}

function load(read: () => Config): Config | string {
  try {
    return read()
  } catch (error) {
    // Whatever it is: a program that runs well does not end because of its next configuration.
    if (!(error instanceof WeirError)) return String(error)
    return error.hint === null ? error.message : `${error.message}\n${error.hint}`
  }
}

/** Those that a running program cannot change. */
export function findFixedChanges(before: Config, after: Config): string[] {
  const fixed = (config: Config): Record<string, string | number | undefined> => ({
    dataDir: config.dataDir,
    'settings.url': config.settings.url,
    'usage.url': config.usage.url,
    'proxy.host': config.proxy.host,
    'proxy.port': config.proxy.port,
    'api.host': config.api.host,
    'api.port': config.api.port,
    'status.host': config.status.host,
    'status.port': config.status.port,
    // Old and new processes share a port for a while: some would speak TLS on it and some not.
    tls: config.tls.cert === undefined ? 'off' : 'on',
    'api.tls': config.api.tls.cert === undefined ? 'off' : 'on',
  })
  const old = fixed(before)
  return Object.entries(fixed(after))
    .filter(([setting, value]) => value !== old[setting])
    .map(([setting]) => setting)
}

function toCount(workers: number): string {
  return workers === 1 ? '1 worker' : `${workers} workers`
}
