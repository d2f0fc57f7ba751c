// Updates the price data once a day, where the operator has switched that on. Must stay true:
// restarts do not repeat it, and a server that is down is asked once an hour.

import type { Clock } from '../../core/clock.ts'
import type { Meter } from '../../core/telemetry.ts'
import type { Config } from '../../config/config.ts'
import type { SettingsStore } from '../../store/settings/settings-store.ts'
import { describeUpdate, updatePrices } from './price-update.ts'
import type { UpdateOutcome } from './price-update.ts'
import { hasFailed, readUpdateState } from './update-state.ts'

export interface DailyUpdateOptions {
  readonly config: Config
  readonly settings: SettingsStore
  readonly clock: Clock
  readonly meter: Pick<Meter, 'add'>
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
}

export interface DailyUpdate {
  /** Resolves when none is running. */
  close(): Promise<void>
}

const EVERY_MS = 86_400_000
const RETRY_MS = 3_600_000
const LOOK_MS = 60_000
const WHO = 'prices.update'

export function openDailyUpdate(options: DailyUpdateOptions): DailyUpdate {
  const stop = new AbortController()
  const look = createDailyUpdate(options, stop.signal)
  let running: Promise<unknown> = look()
  const timer = setInterval(() => {
    running = running.then(look)
  }, LOOK_MS)
  timer.unref()
  return {
    async close() {
      stop.abort()
      clearInterval(timer)
      await running
    },
  }
}

/** The returned function updates where that is due; null where it is not, or failed on its own. */
export function createDailyUpdate(
  options: DailyUpdateOptions,
  signal: AbortSignal,
): () => Promise<UpdateOutcome | null> {
  const { config, clock } = options
  const mode = config.prices.update
  // Besides the file's: on a full disk it is not written, and that must not mean every minute.
  let triedAt: number | null = null
  return async () => {
    const nowMs = clock.now()
    if (mode === 'off' || !isDue(config.dataDir, triedAt, nowMs)) return null
    triedAt = nowMs
    const settings = options.settings.as({ kind: 'system', id: null, name: WHO })
    const asked = { config, settings, clock, mode, who: WHO, isScheduled: true, signal }
    try {
      const outcome = await updatePrices(asked)
      report(options, outcome)
      return outcome
    } catch (error) {
      if (!signal.aborted) {
        options.warn({ err: error }, 'the price data could not be updated; it is tried again later')
      }
      return null
    }
  }
}

/** A clock that was set back does not put it off. */
function isDue(dataDir: string, triedAt: number | null, nowMs: number): boolean {
  const state = readUpdateState(dataDir)
  const isPast = (atMs: number | null, ms: number): boolean =>
    atMs === null || nowMs < atMs || nowMs >= atMs + ms
  const everyMs = state !== null && hasFailed(state.result) ? RETRY_MS : EVERY_MS
  return isPast(triedAt, RETRY_MS) && isPast(state?.scheduledAt ?? null, everyMs)
}

function report({ meter, info, warn }: DailyUpdateOptions, outcome: UpdateOutcome): void {
  const { kind } = outcome
  meter.add('priceUpdates', 1, kind)
  const reason = 'reason' in outcome ? outcome.reason : null
  const doubts = 'doubts' in outcome ? outcome.doubts : []
  const words = `prices.update: ${describeUpdate(kind, reason)}`
  if (kind === 'waiting') warn({ doubts }, `${words}; see weir prices update --check`)
  else if (reason !== null) warn({ result: kind }, `${words}; prices stay as they are`)
  else info({ result: kind }, words)
}
