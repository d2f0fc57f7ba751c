// What the leader of several nodes does: sends alerts, removes old calls and nodes, looks for
// unusual spend and budgets that will not last, and updates price data. Each part does no harm
// where a leader that lost its lease is in the midst of it: alerts are claimed or known by their
// ids, and the rest leaves the same result when it is done twice.

import { createSlugOf } from '../../config/slug-of.ts'
import { runChores } from '../../ledger/chores.ts'
import type { Chore } from '../../ledger/chores.ts'
import { createForecastAlerts } from '../../ledger/forecast-alerts.ts'
import { listSharedChores } from '../../ledger/shared-chores.ts'
import { openDailyUpdate } from '../../pricing/service/daily-update.ts'
import { SILENT_MS } from '../../store/nodes/node-store.ts'
import type { NodeStore } from '../../store/nodes/node-store.ts'
import { openOutboxDispatch } from '../alert-dispatch.ts'
import type { ApiStores } from '../api-stores.ts'
import { openLeader } from './leader.ts'
import type { Leader, LeaderWork, Term } from './leader.ts'
import type { RoleOptions } from '../roles.ts'

const PRUNE_MS = 600_000
const FORECAST_MS = 5000
/** What is stored later than this would be missing from a sum. */
const CAUGHT_UP_MS_MAX = 60_000

/** Null where there is one node only: its ledger does all of it. */
export function openLeaderOf(options: RoleOptions, stores: ApiStores): Leader | null {
  const { nodes } = stores
  if (nodes === null) return null
  return openLeader({
    ...options,
    store: nodes,
    owner: `${options.node.id} ${process.pid}`,
    lead: async (term) => openWork(options, { ...stores, nodes }, term),
  })
}

type LeaderStores = ApiStores & { readonly nodes: NodeStore }

function openWork(options: RoleOptions, stores: LeaderStores, term: Term): LeaderWork {
  const { settings, ledgerStore } = stores
  const dispatch = openOutboxDispatch(options, { settings, progress: ledgerStore.progress })
  const updates = openDailyUpdate({ ...options, settings })
  const chores = runChores(listLeaderChores(options, stores), {
    doneBy: 'the leader',
    warn: options.warn,
    mayRun: () => !term.isOver(),
  })
  return {
    async close() {
      await Promise.all([dispatch.close(), updates.close(), chores.close()])
    },
  }
}

export function listLeaderChores(
  options: Pick<RoleOptions, 'config' | 'clock' | 'meter'>,
  stores: Pick<LeaderStores, 'settings' | 'ledgerStore' | 'nodes'>,
): readonly Chore[] {
  const { config, clock, meter } = options
  const { settings, ledgerStore: store, nodes } = stores
  const isCaughtUp = (): Promise<boolean> => areCaughtUp(nodes)
  const forecasts = createForecastAlerts({ store, slugOf: createSlugOf(config), clock })
  return [
    ...listSharedChores({ config, store, clock, meter, isCaughtUp }),
    { everyMs: PRUNE_MS, work: () => nodes.prune() },
    {
      everyMs: PRUNE_MS,
      // A node may know of a new budget before another does: none of them removes what it misses.
      work: async () =>
        store.progress.budgets.prune(await settings.budgets.list(), settings.clock.now()),
    },
    {
      everyMs: FORECAST_MS,
      work: async () => {
        if (!(await isCaughtUp())) return
        await forecasts.judge(await settings.budgets.list(), { hasChanged: true })
      },
    },
  ]
}

/** Nodes that are silent are not waited for: one that is gone would end all alerts. */
export async function areCaughtUp(nodes: Pick<NodeStore, 'list'>): Promise<boolean> {
  const { at, nodes: known } = await nodes.list()
  const living = known.filter(({ state, seenAt }) => state !== 'left' && at - seenAt <= SILENT_MS)
  return living.every(
    ({ role, journal }) =>
      role === 'api' ||
      (journal !== null &&
        journal.caughtUpAt !== null &&
        at - journal.caughtUpAt <= CAUGHT_UP_MS_MAX),
  )
}
