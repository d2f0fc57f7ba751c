// Tells the other nodes each second that this one is alive, and how far it is. Must stay true: the
// node works on whatever happens to a heartbeat; only tables that do not fit keep it from starting.

import { hostname } from 'node:os'

import type { Clock } from '../../core/clock.ts'
import { VERSION } from '../../core/version.ts'
import { CLOCK_OFFSET_MS_MAX } from '../../store/nodes/node-store.ts'
import type {
  JournalReport,
  NodeReport,
  NodeState,
  NodeStore,
} from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { StoreBusy } from '../../store/store-busy.ts'
import { createLeaderWatch } from './leader-watch.ts'
import type { NodeIdentity } from './node-identity.ts'

export interface HeartbeatOptions {
  readonly url: string
  readonly node: NodeIdentity
  readonly clock: Clock
  readonly configHash: () => string
  readonly journal: () => JournalReport | null
  readonly say: (line: string) => void
  readonly everyMs?: number
}

export interface Heartbeat {
  /** Why the others do not know of this node, in a sentence; null while all is well. */
  readonly fault: () => string | null
  /** That no node leads; null while one does, and for a node that can itself. */
  readonly leaderWarning: () => string | null
  readonly setState: (state: NodeState) => void
  /** The last heartbeat says that it has left, where it is known what it left on its disk. */
  close(): Promise<void>
}

const EVERY_MS = 1000
const MEASURE_MS = 10_000

/** Resolves after the first try, also when the database is away. */
export async function openHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { clock, everyMs = EVERY_MS } = options
  const startedAt = clock.monotonic()
  const leaders = createLeaderWatch(options)
  let store: NodeStore | null = null
  let state: NodeState = 'running'
  let offsetMs: number | null = null
  let measuredAt = -Infinity
  let fault: string | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function beat(): Promise<void> {
    store ??= await openNodeStore({ url: options.url })
    const isMeasured = clock.monotonic() - measuredAt >= MEASURE_MS
    if (isMeasured) {
      const before = offsetMs ?? 0
      offsetMs = await store.measureOffsetMs(() => clock.now())
      if (isFarOff(offsetMs) && !isFarOff(before)) options.say(describeOffset(offsetMs))
      measuredAt = clock.monotonic()
    }
    await store.beat({
      ...describe(options, offsetMs),
      state,
      uptimeMs: clock.monotonic() - startedAt,
    })
    if (isMeasured && options.node.role === 'proxy') leaders.look(await store.list())
    fault = null
  }

  async function beatSafely(): Promise<void> {
    try {
      await beat()
    } catch (error) {
      if (fault === null) options.say((error as Error).message)
      fault = 'The database cannot be reached: settings stay as they were, and calls wait on disk.'
    }
    schedule()
  }

  function schedule(): void {
    if (isClosed) return
    timer = setTimeout(turn, everyMs)
    timer.unref()
  }

  let running: Promise<void> = Promise.resolve()
  const turn = (): void => {
    running = beatSafely()
  }
  try {
    await beat()
    schedule()
  } catch (error) {
    if (!(error instanceof StoreBusy)) throw error
    turn()
  }
  return {
    fault: () => fault,
    leaderWarning: leaders.warning,
    setState: (next) => {
      state = next
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
      // Else it will be silent, and named beside figures that may miss its calls.
      if (options.node.role === 'api' || options.journal() !== null) state = 'left'
      // It ends either way: the others then see that it is silent.
      await beat().catch(() => {})
      await store?.close()
    },
  }
}

function describe(
  { node, configHash, journal }: HeartbeatOptions,
  offsetMs: number | null,
): Omit<NodeReport, 'state' | 'uptimeMs'> {
  return {
    ...node,
    host: hostname(),
    version: VERSION,
    configHash: configHash(),
    clockOffsetMs: offsetMs,
    journal: toDatabaseTime(journal(), offsetMs ?? 0),
  }
}

function isFarOff(offsetMs: number): boolean {
  return Math.abs(offsetMs) > CLOCK_OFFSET_MS_MAX
}

function describeOffset(offsetMs: number): string {
  const side = offsetMs > 0 ? 'ahead of' : 'behind'
  const seconds = (Math.abs(offsetMs) / 1000).toFixed(1)
  return `this machine's clock is ${seconds} s ${side} the database's; set it by NTP`
}

function toDatabaseTime(report: JournalReport | null, offsetMs: number): JournalReport | null {
  if (report === null || report.caughtUpAt === null) return report
  return { ...report, caughtUpAt: report.caughtUpAt - offsetMs }
}
