// What a blocking budget over four nodes costs, and how far 64 callers overrun it: with leases, and
// with every node for itself. On a real PostgreSQL that keeps nothing on the disk for long: the
// statements count, not their times.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openLeasesAt } from '../test/fakes/postgres/lease-stores.ts'
import type { LeaseDatabase } from '../test/fakes/postgres/lease-stores.ts'
import { openPostgresServer } from '../test/fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../test/fakes/postgres/test-database.ts'
import { CALLERS, NODES, PATTERNS, simulate } from '../test/limits/simulated-nodes.ts'
import { printBars } from './relay/bars.ts'
import type { Bar } from './relay/bars.ts'
import { printTable } from './relay/print-table.ts'
import { runBenchmark } from './relay/run-benchmark.ts'

/**
 * Budgets for so many calls of the expected cost. In a small one more of the calls are near the
 * end, where leases are small: its statements are shown, and have no bar.
 */
const SIZES = [
  { calls: 600, perCallMax: null },
  { calls: 5000, perCallMax: 0.11 },
] as const

await runBenchmark(async (open) => {
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-limits-'))
  // PostgreSQL runs as another user where this one is root.
  await chmod(folder, 0o755)
  open.add({ close: () => rm(folder, { recursive: true, force: true }) })
  const [programs] = listPostgresPrograms()
  const server = open.add(
    await openPostgresServer({ bin: programs?.bin ?? '', folder: join(folder, 'server') }),
  )
  const after = (close: () => unknown): void => {
    open.add({ close: async () => void (await close()) })
  }
  const leases = await openLeasesAt({ after }, server.url)
  const bars: Bar[] = []
  for (const size of SIZES) bars.push(...(await measure(leases, size)))
  return printBars(bars)
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
    bars.push(toBar(`${title}: over the limit`, shared.overshoot, smallest))
    if (perCallMax === null) continue
    bars.push({ ...toBar(`${title}: statements a call`, perCall, perCallMax), unit: '' })
  }
  printTable(`A budget for ${calls} calls, ${NODES} nodes, ${CALLERS} callers`, rows)
  return bars
}

function toBar(claim: string, figure: number, limit: number): Bar {
  return { claim, figure, limit, side: 'at most', unit: '%', digits: 3 }
}
