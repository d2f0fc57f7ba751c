// What storing calls in PostgreSQL costs: CPU of the server and of the node for batches of three
// sizes, and how several nodes get on with each other. The server has its disk's promises on
// (fsync), as in service. The figures beside ours are those of a bare writer of the same tables
// without the sums for analysis, measured on a machine of this size before the store was written.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openPostgresServer } from '../../test/fakes/postgres/postgres-server.ts'
import type { PostgresServer } from '../../test/fakes/postgres/postgres-server.ts'
import { listPostgresPrograms } from '../../test/fakes/postgres/test-database.ts'
import { migrateUsage, withUsage } from '../../test/fakes/postgres/usage-place.ts'
import type { Bar } from '../relay/bars.ts'
import { printTable } from '../relay/print-table.ts'
import type { OpenItems } from '../relay/run-benchmark.ts'
import { writeAtOnce } from './writers.ts'

export const SETTINGS: readonly string[] = [
  'fsync=on',
  'full_page_writes=on',
  'autovacuum=on',
  'jit=on',
  'shared_buffers=512MB',
  'max_wal_size=4GB',
]
/** Server and node in microseconds a call. */
const STUDIED = { 10_000: [29, 17], 1000: [51, 32], 100: [111, 84] } as const
const SIZES = [10_000, 1000, 100] as const
const RATIO_MAX = 1.5
const WRITERS = [1, 2, 4]
const WRITERS_BATCH = 5000

export async function measurePostgres(open: OpenItems, isFull: boolean): Promise<Bar[]> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-bench-ledger-'))
  await chmod(folder, 0o755)
  open.add({ close: () => rm(folder, { recursive: true, force: true }) })
  const bin = listPostgresPrograms()[0]?.bin ?? ''
  const server = open.add(await openPostgresServer({ bin, folder, settings: SETTINGS }))
  await migrateUsage(server.url)
  const bars: Bar[] = []
  const rows: string[][] = []
  let from = 0
  for (const size of SIZES) {
    const batches = Math.max(20, (isFull ? 400_000 : 100_000) / size)
    const written = await writeAtOnce(toPlace(server), { size, batches, writers: 1 }, from)
    from += (batches + 5) * size
    const [studiedServer, studiedNode] = STUDIED[size]
    const ratio = (written.serverMicros + written.nodeMicros) / (studiedServer + studiedNode)
    rows.push([
      String(size),
      written.serverMicros.toFixed(0),
      written.nodeMicros.toFixed(0),
      written.partMicros.toFixed(1),
      `${studiedServer} + ${studiedNode}`,
      ratio.toFixed(2),
    ])
    bars.push({
      claim: `CPU a call in batches of ${size}, against the bare writer`,
      figure: ratio,
      limit: RATIO_MAX,
      side: 'at most',
      unit: '×',
    })
  }
  const head = ['calls', 'server µs', 'node µs', 'of it sums for analysis', 'bare writer', '×']
  printTable('CPU a call by the size of a batch', [head, ...rows])
  bars.push(...(await measureWriters(server, from)))
  return bars
}

async function measureWriters(server: PostgresServer, first: number): Promise<Bar[]> {
  const rows: string[][] = []
  let from = first
  for (const writers of WRITERS) {
    const plan = { size: WRITERS_BATCH, batches: 15, writers }
    const written = await writeAtOnce(toPlace(server), plan, from)
    from += writers * (plan.batches + 5) * plan.size
    const { callsPerSecond, serverMicros, nodeMicros } = written
    rows.push([
      String(writers),
      callsPerSecond.toFixed(0),
      serverMicros.toFixed(0),
      nodeMicros.toFixed(0),
    ])
  }
  const head = ['nodes', 'calls/s', 'server µs', 'node µs']
  printTable(`several nodes at once, batches of ${WRITERS_BATCH}`, [head, ...rows])
  const deadlocks = await withUsage(server.url, async (database) => {
    const row = await database.first<{ deadlocks: number }>(
      'SELECT SUM(deadlocks) AS deadlocks FROM pg_stat_database',
    )
    return row?.deadlocks ?? 0
  })
  return [{ claim: 'deadlocks', figure: deadlocks, limit: 0, side: 'at most', unit: '', digits: 0 }]
}

const toPlace = ({ url, pid }: PostgresServer) => ({ url, pids: [pid] })
