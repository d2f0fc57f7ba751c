// What passing a call on costs: one Weir worker with everything on (key, dimensions, tap, journal)
// against nginx and the Portkey gateway, on one machine in one run. Take the ratios, not the times:
// all share its cores. Fails when a call was not answered, was changed, or was not recorded.

import { readResidentBytes } from '../test/fakes/processes.ts'
import { atLeast, atMost, printTable } from './harness/report.ts'
import type { Bar } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import { createContender } from './harness/contender.ts'
import type { Contender } from './harness/contender.ts'
import { readTreeCpuMicros } from './harness/process-figures.ts'
import { openUpstream } from './harness/upstream.ts'
import type { Upstream } from './harness/upstream.ts'
import { openWeir } from './harness/weir.ts'
import type { WeirContender } from './harness/weir.ts'
import { openBareRelay } from './relay/bare-relay.ts'
import { measure, warmUp } from './relay/measure.ts'
import type { Figures } from './relay/measure.ts'
import { openPeers } from './relay/peers.ts'
import type { Peers } from './relay/peers.ts'
import { CHAT, PACED_STREAM, STREAM, UPLOAD, UPLOAD_MEGABYTES } from './relay/workload.ts'
import type { Workload } from './relay/workload.ts'

const MEGABYTE = 1_000_000

interface Field {
  readonly upstream: Upstream
  readonly direct: Contender
  readonly weir: WeirContender
  readonly peers: Peers
}

interface Outcome {
  readonly figures: ReadonlyMap<Contender, Figures>
  /** How much the worker grew after its warm-up. */
  readonly workerGrowthBytes: number
}

await runBenchmark(async (open) => {
  const upstream = await openUpstream(open)
  const { port } = upstream
  const field: Field = {
    upstream,
    direct: createContender({ name: 'direct', port, pids: [] }),
    peers: await openPeers(open, port),
    weir: await openWeir(open, upstream),
  }
  const meteringOn = await openBareRelay(open, port, 'on')
  const meteringOff = await openBareRelay(open, port, 'off')
  const recordFirst = await openBareRelay(open, port, 'first')

  const chat = await runWorkload(CHAT, field, [meteringOn, meteringOff, recordFirst])
  const stream = await runWorkload(STREAM, field)
  const paced = await runWorkload(PACED_STREAM, field)
  const upload = await runWorkload(UPLOAD, field)
  await field.weir.checkCost()
  console.log(`\nAll ${field.weir.answered} calls through Weir were recorded with their cost.`)

  const meteringMicros =
    figuresOf(chat, meteringOn).cpuMicros - figuresOf(chat, meteringOff).cpuMicros
  return [
    ...createBars(field, { chat, stream, paced, upload }),
    atMost('(a) CPU for metering, on against off', meteringMicros, {
      limit: 25,
      unit: 'µs a call',
    }),
  ]
})

async function runWorkload(
  workload: Workload,
  field: Field,
  others: readonly Contender[] = [],
): Promise<Outcome> {
  const { upstream, direct, weir } = field
  const peers = Object.values(field.peers).filter((peer) => peer !== null)
  await upstream.tell({ answer: workload.answer })
  const contest = await warmUp(workload, { direct, contenders: [...peers, weir, ...others] })

  const residentBefore = readResidentBytes(weir.workerPid)
  const ledgerBefore = readTreeCpuMicros(weir.ledgerPid)
  const answeredBefore = weir.answered
  const figures = await measure(workload, contest)
  const workerGrowthBytes = readResidentBytes(weir.workerPid) - residentBefore
  const ledgerMicros = readTreeCpuMicros(weir.ledgerPid) - ledgerBefore

  printFigures(workload, figures, field)
  const calls = weir.answered - answeredBefore
  const ledgerMs = (ledgerMicros / 1000).toFixed(0)
  console.log(
    `  ledger, beside the path: ${ledgerMs} ms CPU for ${calls} calls and the time between`,
  )
  return { figures, workerGrowthBytes }
}

function printFigures(
  workload: Workload,
  figures: ReadonlyMap<Contender, Figures>,
  { direct, peers: { nginx } }: Field,
): void {
  const peer = nginx === null ? undefined : figures.get(nginx)
  const [amount, unit] = workload === UPLOAD ? [UPLOAD_MEGABYTES, 'MB/s'] : [1, 'calls/s']
  const head = ['', 'CPU µs/call', '× nginx', unit, '× nginx', 'pieces']
  const rows = [...figures].map(([contender, own]) => {
    const unlessDirect = (text: string): string => (contender === direct ? '-' : text)
    const ratio = (pick: (figures: Figures) => number): string =>
      peer === undefined ? '-' : (pick(own) / pick(peer)).toFixed(2)
    return [
      contender.name,
      unlessDirect(own.cpuMicros.toFixed(1)),
      unlessDirect(ratio((each) => each.cpuMicros)),
      (own.callsPerSecond * amount).toFixed(0),
      ratio((each) => each.callsPerSecond),
      own.pieces.toFixed(1),
      unlessDirect(formatMs(own.addedP50Ms)),
      unlessDirect(formatMs(own.addedP99Ms)),
    ]
  })
  printTable(workload.title, [[...head, 'added p50 ms', 'added p99 ms'], ...rows])
}

/** Not every workload is also run at light load. */
function formatMs(ms: number): string {
  return Number.isNaN(ms) ? '-' : ms.toFixed(3)
}

function figuresOf({ figures }: Outcome, contender: Contender): Figures {
  const found = figures.get(contender)
  if (found === undefined) throw new Error(`${contender.name} was not measured.`)
  return found
}

type Outcomes = Readonly<Record<'chat' | 'stream' | 'paced' | 'upload', Outcome>>

function createBars({ weir, peers }: Field, { chat, stream, paced, upload }: Outcomes): Bar[] {
  const { nginx, portkey } = peers
  const compare = (
    outcome: Outcome,
    peer: Contender | null,
    pick: (own: Figures, peer: Figures) => number,
  ): number | null =>
    peer === null ? null : pick(figuresOf(outcome, weir), figuresOf(outcome, peer))
  const cpu = (own: Figures, peer: Figures): number => own.cpuMicros / peer.cpuMicros
  const speed = (own: Figures, peer: Figures): number => own.callsPerSecond / peer.callsPerSecond
  const toPortkey = compare(chat, portkey, (own, peer) => peer.cpuMicros / own.cpuMicros)
  const { addedP50Ms } = figuresOf(chat, weir)
  const growth = upload.workerGrowthBytes / MEGABYTE
  const times = (limit: number) => ({ limit, unit: '×' })
  return [
    atMost("(a) CPU a call, against nginx's", compare(chat, nginx, cpu), times(4)),
    atLeast("(a) Portkey's CPU a call, against Weir's", toPortkey, times(20)),
    atMost('(a) added p50 at light load', addedP50Ms, { limit: 0.3, unit: 'ms', digits: 3 }),
    atMost("(b) CPU a stream, against nginx's", compare(stream, nginx, cpu), times(3)),
    atMost('(b) the same, events 2 ms apart', compare(paced, nginx, cpu), times(3)),
    atLeast("(c) throughput, against nginx's", compare(upload, nginx, speed), times(0.7)),
    atMost("(c) growth of the worker's memory", growth, { limit: 64, unit: 'MB', digits: 1 }),
  ]
}
