// What a blocking budget over four nodes costs, and how far 64 callers overrun it: with leases, and
// with every node for itself. On a real PostgreSQL that keeps nothing on the disk for long: the
// statements count, not their times.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openLeasesAt } from '../test/fakes/postgres/lease-stores.ts'
import { openPostgresServer } from '../test/fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../test/fakes/postgres/test-database.ts'
import { CALLERS, NODES, PATTERNS, simulate } from '../test/limits/simulated-nodes.ts'
import { printBars } from './relay/bars.ts'
import type { Bar } from './relay/bars.ts'
import { printTable } from './relay/print-table.ts'
import { runBenchmark } from './relay/run-benchmark.ts'

/** A budget for so many calls of the expected cost. */
const CALLS = 5000

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
  const rows = [['', 'calls', 'statements a call', 'over', 'bound', 'without leases']]
  const bars: Bar[] = []
  for (const pattern of PATTERNS) {
    const alone = await simulate({ pattern, calls: CALLS, leases: null })
    const shared = await simulate({ pattern, calls: CALLS, leases })
    const perCall = shared.statements / shared.calls
    const figures = [shared.overshoot, shared.bound, alone.overshoot]
    rows.push([
      pattern.title,
      String(shared.calls),
      perCall.toFixed(3),
      ...figures.map((figure) => `${figure.toFixed(2)} %`),
    ])
    bars.push(toBar(`${pattern.title}: over the limit`, shared.overshoot, shared.bound), {
      ...toBar(`${pattern.title}: statements a call`, perCall, 0.11),
      unit: '',
    })
  }
  printTable(`A budget for ${CALLS} calls, ${NODES} nodes, ${CALLERS} callers`, rows)
  return printBars(bars)
})

function toBar(claim: string, figure: number, limit: number): Bar {
  return { claim, figure, limit, side: 'at most', unit: '%', digits: 3 }
}
