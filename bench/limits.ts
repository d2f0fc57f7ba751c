// What a blocking budget over four nodes costs, and how far 64 callers overrun it: with leases, and
// with every node for itself. On a real PostgreSQL: the statements count, not their times.

import { openLeasesAt } from '../test/fakes/postgres/lease-stores.ts'
import type { LeaseDatabase } from '../test/fakes/postgres/lease-stores.ts'
import { CALLERS, NODES, PATTERNS, simulate } from '../test/limits/simulated-nodes.ts'
import { atMost, printTable } from './harness/report.ts'
import type { Bar } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import { openServers } from './harness/servers.ts'

/**
 * Budgets for so many calls of the expected cost. In a small one more of the calls are near the
 * end, where leases are small: its statements are shown, and have no bar.
 */
const SIZES = [
  { calls: 600, perCallMax: null },
  { calls: 5000, perCallMax: 0.11 },
] as const

await runBenchmark(async (open) => {
  const { url } = await openServers(open, await open.addFolder(), false)
  const after = (close: () => unknown): void => {
    open.add({ close: async () => void (await close()) })
  }
  const leases = await openLeasesAt({ after }, url)
  const bars: Bar[] = []
  for (const size of SIZES) bars.push(...(await measure(leases, size)))
  return bars
})

async function measure(
  leases: LeaseDatabase,
  { calls, perCallMax }: (typeof SIZES)[number],
): Promise<readonly Bar[]> {
  const head = ['', 'calls', 'statements a call', 'over', 'bound', 'first bound', 'without leases']
  const rows = [head]
  const bars: Bar[] = []
  for (const pattern of PATTERNS) {
    const alone = await simulate({ pattern, calls, leases: null })
    const shared = await simulate({ pattern, calls, leases })
    const perCall = shared.statements / shared.calls
    // None shown is a failure, too.
    const { first, smallest } = shared.bounds ?? { first: NaN, smallest: NaN }
    const figures = [shared.overshoot, smallest, first, alone.overshoot]
    const percents = figures.map((figure) => `${figure.toFixed(2)} %`)
    rows.push([pattern.title, String(shared.calls), perCall.toFixed(3), ...percents])
    const title = `${calls}, ${pattern.title}`
    const bound = { limit: smallest, unit: '%', digits: 3 }
    bars.push(atMost(`${title}: over the limit`, shared.overshoot, bound))
    if (perCallMax === null) continue
    const few = { limit: perCallMax, unit: '', digits: 3 }
    bars.push(atMost(`${title}: statements a call`, perCall, few))
  }
  printTable(`A budget for ${calls} calls, ${NODES} nodes, ${CALLERS} callers`, rows)
  return bars
}
