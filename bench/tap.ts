// What reading costs: for each shape the CPU that the tap spends on a megabyte of a stream, on one
// of its events, and on an answer of one kilobyte, beside what parsing all of it as JSON costs in
// the same run; and how much of a whole call that is. Take the ratios, not the times. Fails when a
// reading is not whole.

import path from 'node:path'
import { createMeter } from '../src/app/meter.ts'
import type { Operation } from '../src/providers/provider.ts'
import { PROVIDERS } from '../src/providers/registry.ts'
import { Estimates } from '../src/estimates/estimates.ts'
import { Tap } from '../src/proxy/tap.ts'
import { ByteBudget } from '../src/wire/byte-budget.ts'
import { TurnTime } from '../src/wire/turn-time.ts'
import { readFixture, toHeaderLines, toRequestView } from '../test/contracts/provider-fixture.ts'
import type { Fixture } from '../test/contracts/provider-fixture.ts'
import { printBars } from './relay/bars.ts'
import { openBareRelay } from './relay/bare-relay.ts'
import { createContender } from './relay/contender.ts'
import { measure, warmUp } from './relay/measure.ts'
import { printTable } from './relay/print-table.ts'
import { assertLinux } from './relay/process-figures.ts'
import { runBenchmark } from './relay/run-benchmark.ts'
import { openUpstream } from './relay/upstream.ts'
import { CHAT, STREAM } from './relay/workload.ts'
import { padAnswer, splitStream } from './tap/answers.ts'
import type { Framing } from './tap/answers.ts'

interface Shape {
  readonly name: string
  readonly provider: string
  /** Cases of its fixtures. */
  readonly stream: string
  readonly answer: string
  readonly framing: Framing
}

const SHAPES: readonly Shape[] = [
  { name: 'OpenAI chat', provider: 'openai', stream: 'streamed', answer: 'plain', framing: 'sse' },
  {
    name: 'OpenAI Responses',
    provider: 'openai',
    stream: 'responses-streamed',
    answer: 'responses-plain',
    framing: 'sse',
  },
  {
    name: 'Anthropic Messages',
    provider: 'anthropic',
    stream: 'streamed',
    answer: 'plain',
    framing: 'sse',
  },
  {
    name: 'Gemini, events',
    provider: 'google',
    stream: 'streamed',
    answer: 'plain',
    framing: 'sse',
  },
  {
    name: 'Gemini, array',
    provider: 'google',
    stream: 'streamed-array',
    answer: 'plain',
    framing: 'array',
  },
  {
    name: 'gateway chat',
    provider: 'gateway',
    stream: 'streamed',
    answer: 'plain',
    framing: 'sse',
  },
  {
    name: 'Bedrock Converse',
    provider: 'bedrock',
    stream: 'streamed',
    answer: 'plain',
    framing: 'frames',
  },
  { name: 'Ollama', provider: 'ollama', stream: 'streamed', answer: 'plain', framing: 'lines' },
  { name: 'Cohere', provider: 'cohere', stream: 'streamed', answer: 'plain', framing: 'sse' },
]

const FIXTURES = path.join(import.meta.dirname, '..', 'test', 'fixtures', 'providers')
const MEGABYTE = 1_000_000
const ANSWER_BYTES = 1000
/** What a socket gives at once. */
const READ_BYTES = 65_536
const ROUNDS = 15
const ROUND_MS = 30

const meter = createMeter()
const estimates = new Estimates({ estimate: (_, done) => done(null), meter })

const budget = new ByteBudget(0)

/** Stands still: what takes long is put off to a later turn, and here is none. */
const turn = new TurnTime({ monotonic: () => 0 })

/** Reads an answer that comes in these pieces, as the proxy would. */
function read({ fixture, operation }: Case, pieces: readonly Uint8Array[]): void {
  const request = toRequestView(fixture.request)
  const lines = toHeaderLines(fixture.head.headers)
  const header = (name: string): string | null => lines.find(name)
  const bytesMax = 100 * MEGABYTE
  const tap = new Tap({
    operation,
    request,
    bytesMax,
    meter,
    turn,
    budget,
    kept: estimates.keep(null),
  })
  tap.feedRequest(fixture.requestBody)
  tap.startResponse({ status: fixture.head.status, header })
  for (const piece of pieces) tap.feedResponse(piece)
  const { reading } = tap.end(true)
  if (reading?.kind !== 'reported') throw new Error(`A reading was ${reading?.kind ?? 'nothing'}.`)
}

interface Case {
  readonly fixture: Fixture
  readonly operation: Operation
}

function openCase(providerId: string, name: string): Case {
  const fixture = readFixture(path.join(FIXTURES, providerId, name))
  const request = toRequestView(fixture.request)
  const operations = PROVIDERS.find(({ id }) => id === providerId)?.operations ?? []
  const operation = operations.find((each) => each.matches(request))
  if (operation === undefined) throw new Error(`No reader for ${providerId}/${name}.`)
  return { fixture, operation }
}

/** Microseconds a run, of the round in which the machine was least disturbed. */
function time(run: () => void): number {
  let best = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now()
    let runs = 0
    do {
      run()
      runs += 1
    } while (performance.now() - start < ROUND_MS)
    best = Math.min(best, ((performance.now() - start) * 1000) / runs)
  }
  return best
}

function cut(bytes: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at < bytes.length; at += READ_BYTES) {
    pieces.push(bytes.subarray(at, at + READ_BYTES))
  }
  return pieces
}

function measureShape({ name, provider, stream, answer, framing }: Shape): readonly string[] {
  const streamed = openCase(provider, stream)
  const { pieces, documents } = splitStream(streamed.fixture.body, framing, MEGABYTE)
  const whole = Buffer.concat(pieces)
  const chunks = cut(whole)
  const megabytes = whole.length / MEGABYTE
  const perMegabyte = time(() => read(streamed, chunks)) / megabytes
  const perEvent = time(() => read(streamed, pieces)) / pieces.length
  const parsed = time(() => documents.forEach((text) => void JSON.parse(text))) / megabytes

  const plain = openCase(provider, answer)
  const body = padAnswer(plain.fixture.body, ANSWER_BYTES)
  const text = body.toString()
  const perAnswer = time(() => read(plain, [body]))
  const parsedAnswer = time(() => void JSON.parse(text))
  return [
    name,
    (perMegabyte / 1000).toFixed(2),
    (perMegabyte / parsed).toFixed(2),
    perEvent.toFixed(2),
    perAnswer.toFixed(1),
    (perAnswer / parsedAnswer).toFixed(1),
  ]
}

interface WholeCalls {
  readonly chatMicros: number
  readonly streamMicros: number
}

async function measureWholeCalls(
  open: Parameters<Parameters<typeof runBenchmark>[0]>[0],
): Promise<WholeCalls> {
  const upstream = open.add(await openUpstream())
  const relay = open.add(await openBareRelay(upstream.port, 'on'))
  const direct = createContender({ name: 'direct', port: upstream.port, pids: [] })
  const micros: number[] = []
  for (const workload of [CHAT, STREAM]) {
    await upstream.answerWith(workload.answer)
    const contest = await warmUp(workload, { direct, contenders: [relay] })
    micros.push((await measure(workload, contest)).get(relay)?.cpuMicros ?? Number.NaN)
  }
  const [chatMicros = Number.NaN, streamMicros = Number.NaN] = micros
  return { chatMicros, streamMicros }
}

/** Of the relay's own workloads: 0.9 KB of JSON, and 200 events of 150 bytes. */
const CHAT_BYTES = 900
const STREAM_EVENTS = 200

await runBenchmark(async (open) => {
  assertLinux()
  const rows = SHAPES.map(measureShape)
  printTable('Reading, by shape; × is against JSON.parse of all of it', [
    ['', 'ms/MB of stream', '× parse', 'µs/event', 'µs/1 KB answer', '× parse'],
    ...rows,
  ])
  const { chatMicros, streamMicros } = await measureWholeCalls(open)
  const gateway = rows.find(([name]) => name === 'gateway chat') ?? []
  const answerMicros = (Number(gateway[4]) * CHAT_BYTES) / ANSWER_BYTES
  const eventsMicros = Number(gateway[3]) * STREAM_EVENTS
  printTable('Reading in a whole call through the relay, CPU µs', [
    ['', 'whole', 'reading', 'share'],
    toShare('chat call', chatMicros, answerMicros),
    toShare(`stream of ${STREAM_EVENTS} events`, streamMicros, eventsMicros),
  ])
  const share = { limit: 30, side: 'at most', unit: '%' } as const
  return printBars([
    {
      claim: 'share of reading in a chat call',
      figure: (answerMicros / chatMicros) * 100,
      ...share,
    },
    {
      claim: 'share of reading in a stream',
      figure: (eventsMicros / streamMicros) * 100,
      ...share,
    },
  ])
})

function toShare(name: string, whole: number, reading: number): readonly string[] {
  const percent = `${((reading / whole) * 100).toFixed(1)} %`
  return [name, whole.toFixed(1), reading.toFixed(1), percent]
}
