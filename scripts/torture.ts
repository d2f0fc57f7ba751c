// The long form of the torture: the real program under load while its processes are killed at
// random, or while its disk fills up.
//   node scripts/torture.ts [--kills 60] [--callers 16] [--seed N] [--record-first]
//   node scripts/torture.ts --cluster [--clickhouse] [--kills 60] [--callers 16] [--seed N]
//   node scripts/torture.ts --clickhouse [--kills 60] [--seed N]
//   node scripts/torture.ts --clickhouse --away 60 [--callers 16]
//   node scripts/torture.ts --database failover|restore|empty [--clickhouse] [--callers 16]
//   node scripts/torture.ts --disk-full [--fills 6] [--callers 16] [--on-full go-on|refuse]
// The small disk is a file system in memory where this user may mount one; where not, writes to the
// journal are refused instead, and the verdict says so (disk: simulated).

import { parseArgs } from 'node:util'

import { runCallsAway } from '../test/cluster/calls-away.ts'
import { DATABASE_EVENTS, runDatabaseEvent } from '../test/cluster/database-events.ts'
import { openCallsServer } from '../test/cluster/open-calls.ts'
import { runClusterTorture } from '../test/cluster/torture-cluster.ts'
import type { Cleanups } from '../test/fakes/servers/shared-server.ts'
import { runClickhouseKills } from '../test/torture/clickhouse-kills.ts'
import { FULL_DISK_KILLS, runFullDisk } from '../test/torture/disk-full.ts'
import { runTorture } from '../test/torture/torture.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '60' },
    callers: { type: 'string', default: '16' },
    seed: { type: 'string' },
    'record-first': { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    clickhouse: { type: 'boolean', default: false },
    away: { type: 'string' },
    database: { type: 'string' },
    'disk-full': { type: 'boolean', default: false },
    fills: { type: 'string', default: '6' },
    'on-full': { type: 'string', default: 'go-on' },
  },
})
const say = (line: string): void => console.log(`  ${line}`)
const callers = Number(values.callers)
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32))
const isAway = values.clickhouse && values.away !== undefined
const isOnCluster = values.cluster || values.database !== undefined
if (values.clickhouse && !isAway && !isOnCluster) process.exit(await killClickhouse())
const { faults, ...figures } = await run()
console.log(JSON.stringify(figures, null, 2))
for (const fault of faults.slice(0, 50)) console.log(fault)
const isWhole =
  figures.completeness.lost === 0 ? 'the record is whole' : 'every lost call is counted'
console.log(faults.length === 0 ? isWhole : `${faults.length} FAULTS`)
process.exitCode = faults.length === 0 ? 0 : 1

function run() {
  if (isAway) return leaveClickhouse(Number(values.away))
  if (values['disk-full']) return fillDisk()
  return values.database === undefined ? killProcesses() : replaceDatabase(values.database)
}

function replaceDatabase(name: string) {
  const event = DATABASE_EVENTS.find((each) => each === name)
  if (event === undefined) throw new Error(`--database is one of ${DATABASE_EVENTS.join(', ')}`)
  console.log(`the database of two nodes under ${callers} callers: ${event}`)
  const options = { event, hasClickhouse: values.clickhouse, callers, say }
  return withCleanups((context) => runDatabaseEvent(context, options))
}

function fillDisk() {
  const onFull = values['on-full']
  if (onFull !== 'go-on' && onFull !== 'refuse') throw new Error('--on-full is go-on or refuse')
  const fills = Number(values.fills)
  console.log(`the disk fills up ${fills} times under ${callers} callers, journal.onFull ${onFull}`)
  const kinds = FULL_DISK_KILLS
  const kills = Array.from({ length: fills }, (_, fill) => kinds[fill % kinds.length] ?? 'none')
  return runFullDisk({ fills: kills, callers, onFull, say })
}

function killProcesses() {
  const kills = Number(values.kills)
  console.log(`${kills} kills under ${callers} callers, from seed ${seed}`)
  if (values.cluster) return tortureCluster(kills)
  return runTorture({ seed, kills, callers, recordsFirst: values['record-first'], say })
}

function tortureCluster(kills: number) {
  const options = { seed, kills, callers, say }
  if (!values.clickhouse) return runClusterTorture(options)
  return withCleanups(async (context) =>
    runClusterTorture({ ...options, calls: await openCallsServer(context) }),
  )
}

function leaveClickhouse(seconds: number) {
  console.log(`ClickHouse is away for ${seconds} s under ${callers} callers`)
  // The SDK warns of the model's age at every call.
  console.warn = () => {}
  return withCleanups((context) => runCallsAway(context, { seconds, callers, say }))
}

/** Three a round: a node, ClickHouse at random, and ClickHouse between a part and its name. */
async function killClickhouse(): Promise<number> {
  const rounds = Math.ceil(Number(values.kills) / 3)
  console.log(`${rounds * 3} kills of nodes and ClickHouse, from seed ${seed}`)
  const found = await withCleanups((context) => runClickhouseKills(context, { rounds, seed, say }))
  for (const fault of found) console.log(fault)
  console.log(found.length === 0 ? 'the record is whole' : `${found.length} FAULTS`)
  return found.length === 0 ? 0 : 1
}

async function withCleanups<Result>(work: (context: Cleanups) => Promise<Result>): Promise<Result> {
  const cleanups: (() => unknown)[] = []
  try {
    return await work({ after: (cleanup) => void cleanups.unshift(cleanup) })
  } finally {
    for (const cleanup of cleanups) await cleanup()
  }
}
