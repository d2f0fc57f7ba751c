// Tells the other nodes each second that this one is alive, and how far it is. Must stay true: the
// node works on whatever happens to a heartbeat; only tables that do not fit keep it from starting.

import { hostname } from 'node:os'

import type { Clock } from '../../core/clock.ts'
import { VERSION } from '../../core/version.ts'
import type {
  JournalReport,
  NodeReport,
  NodeState,
  NodeStore,
} from '../../store/nodes/node-store.ts'
import { openNodeStore } from '../../store/open-store.ts'
import { StoreBusy } from '../../store/store-busy.ts'
import { createClockOffset } from './clock-offset.ts'
import { createLeaderWatch } from './leader-watch.ts'
import type { NodeClaim, NodeIdentity } from './node-identity.ts'

export interface HeartbeatOptions {
  readonly url: string
  readonly node: NodeIdentity
  readonly clock: Clock
  readonly configHash: () => string
  readonly claim: NodeClaim
  /** What its journals have at this moment. */
  readonly journal: () => Promise<JournalReport | null>
  /** At the end: whether that is all it left on its disk. */
  readonly isLeftKnown: () => boolean
  readonly health: () => Pick<NodeReport, 'fault' | 'ledgerSilentMs'>
  /** Called at each heartbeat that arrived: whether the node has its id. */
  readonly claimed: (isClaimed: boolean) => void
  readonly say: (line: string) => void
  readonly everyMs?: number
}

export interface Heartbeat {
  /** Why the others do not know of this node, in a sentence; null while all is well. */
  readonly fault: () => string | null
  /** That another node runs with this one's id; null while none does. */
  readonly claimFault: () => string | null
  /** That this machine's clock is far off; null while it is not. */
  readonly clockWarning: () => string | null
  /** That no node leads; null while one does, and for a node that can itself. */
  readonly leaderWarning: () => string | null
  readonly setState: (state: NodeState) => void
  /** The last heartbeat says that it has left, where it is known what it left on its disk. */
  close(): Promise<void>
}

const EVERY_MS = 1000
const CLAIMED_ELSEWHERE =
  'Another node runs with the id of this one: calls go on and stay in the journal, and none is stored. Stop one of them; a copied data directory needs an id of its own.'

/** Resolves after the first try, also when the database is away. */
export async function openHeartbeat(options: HeartbeatOptions): Promise<Heartbeat> {
  const { clock, everyMs = EVERY_MS } = options
  const startedAt = clock.monotonic()
  const leaders = createLeaderWatch(options)
  const offset = createClockOffset(options)
  let store: NodeStore | null = null
  let state: NodeState = 'running'
  let fault: string | null = null
  let claimFault: string | null = null
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function beat(): Promise<void> {
    store ??= await openNodeStore({ url: options.url })
    const isMeasured = await offset.measure(store)
    const journal = await options.journal()
    const isClaimed = await store.beat({
      ...describe(options, journal, offset.ms()),
      ...options.health(),
      state,
      uptimeMs: clock.monotonic() - startedAt,
    })
    if (!isClaimed && claimFault === null) options.say(CLAIMED_ELSEWHERE)
    claimFault = isClaimed ? null : CLAIMED_ELSEWHERE
    options.claimed(isClaimed)
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
    claimFault: () => claimFault,
    clockWarning: offset.warning,
    leaderWarning: leaders.warning,
    setState: (next) => {
      state = next
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
      // Else it will be silent, and named beside figures that may miss its calls.
      if (options.node.role === 'api' || options.isLeftKnown()) state = 'left'
      // It ends either way: the others then see that it is silent.
      await beat().catch(() => {})
      await store?.close()
    },
  }
}

function describe(
  { node, claim, configHash }: HeartbeatOptions,
  journal: JournalReport | null,
  offsetMs: number | null,
) {
  return {
    ...node,
    ...claim,
    host: hostname(),
    version: VERSION,
    configHash: configHash(),
    clockOffsetMs: offsetMs,
    journal: toDatabaseTime(journal, offsetMs ?? 0),
  }
}

function toDatabaseTime(report: JournalReport | null, offsetMs: number): JournalReport | null {
  if (report === null) return null
  const toTime = (at: number | null): number | null => (at === null ? null : at - offsetMs)
  return {
    ...report,
    caughtUpAt: toTime(report.caughtUpAt),
    measuredAt: toTime(report.measuredAt),
    refusal: report.refusal && { ...report.refusal, since: report.refusal.since - offsetMs },
  }
}
