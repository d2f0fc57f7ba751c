// What passing a call on costs: one Weir worker with everything on (key, dimensions, tap, journal)
// against nginx, HAProxy and the Portkey gateway, on one machine in one run. Take the ratios, not
// the times: all share its cores. Fails when a call was not answered, was changed, or was not
// recorded.

import { openBareRelay } from './relay/bare-relay.ts'
import { printBars } from './relay/bars.ts'
import type { Bar } from './relay/bars.ts'
import { createContender } from './relay/contender.ts'
import type { Contender, OpenedPeer } from './relay/contender.ts'
import { openHaproxy } from './relay/haproxy.ts'
import { measure, warmUp } from './relay/measure.ts'
import type { Figures } from './relay/measure.ts'
import { openNginx } from './relay/nginx.ts'
import { openPortkey } from './relay/portkey.ts'
import { printTable } from './relay/print-table.ts'
import { assertLinux, readResidentBytes, readTreeCpuMicros } from './relay/process-figures.ts'
import { runBenchmark } from './relay/run-benchmark.ts'
import { openUpstream } from './relay/upstream.ts'
import type { Upstream } from './relay/upstream.ts'
import { openWeir } from './relay/weir.ts'
import type { WeirContender } from './relay/weir.ts'
import { CHAT, PACED_STREAM, STREAM, UPLOAD, UPLOAD_MEGABYTES } from './relay/workload.ts'
import type { Workload } from './relay/workload.ts'

const MEGABYTE = 1_000_000

interface Field {
  readonly upstream: Upstream
  readonly direct: Contender
  readonly weir: WeirContender
  readonly nginx: Contender | null
  readonly haproxy: Contender | null
  readonly portkey: Contender | null
}

interface Outcome {
  readonly figures: ReadonlyMap<Contender, Figures>
  /** How much the worker grew after its warm-up. */
  readonly workerGrowthBytes: number
}

await runBenchmark(async (open) => {
  assertLinux()
  const upstream = open.add(await openUpstream())
  const addPeer = (peer: OpenedPeer): Contender | null => {
    if (peer.kind === 'ready') return open.add(peer.contender)
    const { name, reason, command } = peer.notRun
    console.log(`${name} is not run: ${reason}. To compare with it: ${command}`)
    return null
  }
  const field: Field = {
    upstream,
    direct: createContender({ name: 'direct', port: upstream.port, pids: [] }),
    nginx: addPeer(await openNginx(upstream.port)),
    haproxy: addPeer(await openHaproxy(upstream.port)),
    portkey: addPeer(await openPortkey(upstream.port)),
    weir: open.add(await openWeir(upstream.port)),
  }
  const meteringOn = open.add(await openBareRelay(upstream.port, 'on'))
  const meteringOff = open.add(await openBareRelay(upstream.port, 'off'))
  const recordFirst = open.add(await openBareRelay(upstream.port, 'first'))

  const chat = await runWorkload(CHAT, field, [meteringOn, meteringOff, recordFirst])
  const stream = await runWorkload(STREAM, field)
  const paced = await runWorkload(PACED_STREAM, field)
  const upload = await runWorkload(UPLOAD, field)
  await field.weir.checkCost()
  console.log(`\nAll ${field.weir.answered} calls through Weir were recorded with their cost.`)

  const meteringMicros =
    figuresOf(chat, meteringOn).cpuMicros - figuresOf(chat, meteringOff).cpuMicros
  return printBars([
    ...createBars(field, { chat, stream, paced, upload }),
    {
      claim: '(a) CPU for metering, on against off',
      figure: meteringMicros,
      limit: 25,
      side: 'at most',
      unit: 'µs a call',
    },
  ])
})

async function runWorkload(
  workload: Workload,
  field: Field,
  others: readonly Contender[] = [],
): Promise<Outcome> {
  const { upstream, direct, weir } = field
  const peers = [field.nginx, field.haproxy, field.portkey].filter((peer) => peer !== null)
  await upstream.answerWith(workload.answer)
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
  if (workload === UPLOAD) {
    const growth = (workerGrowthBytes / MEGABYTE).toFixed(1)
    console.log(`  worker's memory since its warm-up: ${growth} MB`)
  }
  return { figures, workerGrowthBytes }
}

function printFigures(
  workload: Workload,
  figures: ReadonlyMap<Contender, Figures>,
  { direct, nginx }: Field,
): void {
  const peer = nginx === null ? undefined : figures.get(nginx)
  const amount = workload === UPLOAD ? UPLOAD_MEGABYTES : 1
  const head = [
    '',
    'CPU µs/call',
    '× nginx',
    workload === UPLOAD ? 'MB/s' : 'calls/s',
    '× nginx',
    'pieces',
    'added p50 ms',
    'added p99 ms',
  ]
  const rows = [...figures].map(([contender, own]) => {
    const isDirect = contender === direct
    const ratio = (pick: (figures: Figures) => number): string =>
      peer === undefined ? '-' : (pick(own) / pick(peer)).toFixed(2)
    return [
      contender.name,
      isDirect ? '-' : own.cpuMicros.toFixed(1),
      isDirect ? '-' : ratio((each) => each.cpuMicros),
      (own.callsPerSecond * amount).toFixed(0),
      ratio((each) => each.callsPerSecond),
      own.pieces.toFixed(1),
      isDirect ? '-' : formatMs(own.addedP50Ms),
      isDirect ? '-' : formatMs(own.addedP99Ms),
    ]
  })
  printTable(workload.title, [head, ...rows])
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

interface Outcomes {
  readonly chat: Outcome
  readonly stream: Outcome
  readonly paced: Outcome
  readonly upload: Outcome
}

function createBars(field: Field, { chat, stream, paced, upload }: Outcomes): Bar[] {
  const { weir, nginx, portkey } = field
  const own = figuresOf(chat, weir)
  const ratio = (
    outcome: Outcome,
    peer: Contender | null,
    pick: (figures: Figures) => number,
  ): number | null =>
    peer === null ? null : pick(figuresOf(outcome, weir)) / pick(figuresOf(outcome, peer))
  const cpu = (figures: Figures): number => figures.cpuMicros
  const toPortkey = ratio(chat, portkey, cpu)
  return [
    {
      claim: "(a) CPU a call, against nginx's",
      figure: ratio(chat, nginx, cpu),
      limit: 4,
      side: 'at most',
      unit: '×',
    },
    {
      claim: "(a) Portkey's CPU a call, against Weir's",
      figure: toPortkey === null ? null : 1 / toPortkey,
      limit: 20,
      side: 'at least',
      unit: '×',
    },
    {
      claim: '(a) added p50 at light load',
      figure: own.addedP50Ms,
      limit: 0.3,
      side: 'at most',
      unit: 'ms',
      digits: 3,
    },
    {
      claim: "(b) CPU a stream, against nginx's",
      figure: ratio(stream, nginx, cpu),
      limit: 3,
      side: 'at most',
      unit: '×',
    },
    {
      claim: '(b) the same, events 2 ms apart',
      figure: ratio(paced, nginx, cpu),
      limit: 3,
      side: 'at most',
      unit: '×',
    },
    {
      claim: "(c) throughput, against nginx's",
      figure: ratio(upload, nginx, (figures) => figures.callsPerSecond),
      limit: 0.7,
      side: 'at least',
      unit: '×',
    },
    {
      claim: "(c) growth of the worker's memory",
      figure: upload.workerGrowthBytes / MEGABYTE,
      limit: 64,
      side: 'at most',
      unit: 'MB',
      digits: 1,
    },
  ]
}
