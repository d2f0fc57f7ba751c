// What reading costs: for each shape the CPU that the tap spends on a megabyte of a stream, on one
// of its events, and on an answer of one kilobyte, beside what parsing all of it as JSON costs in
// the same run; and how much of a whole call that is. Take the ratios, not the times. Fails when a
// reading is not whole.

import path from 'node:path'
import { createMeter } from '../src/app/meter.ts'
import { PROVIDERS } from '../src/providers/registry.ts'
import { Estimates } from '../src/estimates/estimates.ts'
import { Tap } from '../src/proxy/tap.ts'
import { ByteBudget } from '../src/wire/byte-budget.ts'
import { TurnTime } from '../src/wire/turn-time.ts'
import { readFixture, toHeaderLines, toRequestView } from '../test/contracts/provider-fixture.ts'
import { atMost, printTable } from './harness/report.ts'
import { runBenchmark } from './harness/benchmark.ts'
import type { OpenItems } from './harness/benchmark.ts'
import { EVENTS_PER_STREAM } from './harness/calls.ts'
import { createContender } from './harness/contender.ts'
import { openUpstream } from './harness/upstream.ts'
import { openBareRelay } from './relay/bare-relay.ts'
import { measure, warmUp } from './relay/measure.ts'
import { CHAT, STREAM } from './relay/workload.ts'
import type { Workload } from './relay/workload.ts'
import { padAnswer, splitStream } from './tap/answers.ts'
import type { Framing } from './tap/answers.ts'

/** Cases of a provider's fixtures. */
interface Shape {
  readonly provider: string
  readonly stream: string
  readonly answer: string
  readonly framing: Framing
}

const USUAL = { stream: 'streamed', answer: 'plain', framing: 'sse' } as const
const RESPONSES = { stream: 'responses-streamed', answer: 'responses-plain' } as const

const SHAPES: Readonly<Record<string, Shape>> = {
  'OpenAI chat': { ...USUAL, provider: 'openai' },
  'OpenAI Responses': { ...USUAL, provider: 'openai', ...RESPONSES },
  'Anthropic Messages': { ...USUAL, provider: 'anthropic' },
  'Gemini, events': { ...USUAL, provider: 'google' },
  'Gemini, array': { ...USUAL, provider: 'google', stream: 'streamed-array', framing: 'array' },
  'gateway chat': { ...USUAL, provider: 'gateway' },
  'Bedrock Converse': { ...USUAL, provider: 'bedrock', framing: 'frames' },
  Ollama: { ...USUAL, provider: 'ollama', framing: 'lines' },
  Cohere: { ...USUAL, provider: 'cohere' },
}

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
function read(
  { fixture, operation }: ReturnType<typeof openCase>,
  pieces: readonly Uint8Array[],
): void {
  const request = toRequestView(fixture.request)
  const lines = toHeaderLines(fixture.head.headers)
  const header = (name: string): string | null => lines.find(name)
  const options = { operation, request, bytesMax: 100 * MEGABYTE, kept: estimates.keep(null) }
  const tap = new Tap({ ...options, meter, turn, budget })
  tap.feedRequest(fixture.requestBody)
  tap.startResponse({ status: fixture.head.status, header })
  for (const piece of pieces) tap.feedResponse(piece)
  const { reading } = tap.end(true)
  if (reading?.kind !== 'reported') throw new Error(`A reading was ${reading?.kind ?? 'nothing'}.`)
}

function openCase(providerId: string, name: string) {
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
  return Array.from({ length: Math.ceil(bytes.length / READ_BYTES) }, (_, at) =>
    bytes.subarray(at * READ_BYTES, (at + 1) * READ_BYTES),
  )
}

function measureShape({ provider, stream, answer, framing }: Shape) {
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
  const cells = [
    (perMegabyte / 1000).toFixed(2),
    (perMegabyte / parsed).toFixed(2),
    perEvent.toFixed(2),
    perAnswer.toFixed(1),
    (perAnswer / parsedAnswer).toFixed(1),
  ]
  return { microsPerEvent: perEvent, microsPerAnswer: perAnswer, cells }
}

/** CPU of a whole call through the relay. */
async function measureWholeCalls(
  open: OpenItems,
  workloads: readonly Workload[],
): Promise<number[]> {
  const upstream = await openUpstream(open)
  const relay = await openBareRelay(open, upstream.port, 'on')
  const direct = createContender({ name: 'direct', port: upstream.port, pids: [] })
  const micros: number[] = []
  for (const workload of workloads) {
    await upstream.tell({ answer: workload.answer })
    const contest = await warmUp(workload, { direct, contenders: [relay] })
    micros.push((await measure(workload, contest)).get(relay)?.cpuMicros ?? Number.NaN)
  }
  return micros
}

/** Of the relay's own chat call. */
const CHAT_BYTES = 900

await runBenchmark(async (open) => {
  const readings = Object.entries(SHAPES).map(([name, shape]) => ({ name, ...measureShape(shape) }))
  printTable('Reading, by shape; × is against JSON.parse of all of it', [
    ['', 'ms/MB of stream', '× parse', 'µs/event', 'µs/1 KB answer', '× parse'],
    ...readings.map(({ name, cells }) => [name, ...cells]),
  ])
  const [chatMicros = NaN, streamMicros = NaN] = await measureWholeCalls(open, [CHAT, STREAM])
  const gateway = readings.find(({ name }) => name === 'gateway chat')
  const { microsPerAnswer = NaN, microsPerEvent = NaN } = gateway ?? {}
  const answerMicros = (microsPerAnswer * CHAT_BYTES) / ANSWER_BYTES
  const eventsMicros = microsPerEvent * EVENTS_PER_STREAM
  const [ofChat, ofStream] = [answerMicros / chatMicros, eventsMicros / streamMicros]
  const toRow = (name: string, figures: readonly number[], share: number): string[] => [
    name,
    ...figures.map((micros) => micros.toFixed(1)),
    `${(100 * share).toFixed(1)} %`,
  ]
  printTable('Reading in a whole call through the relay, CPU µs', [
    ['', 'whole', 'reading', 'share'],
    toRow('chat call', [chatMicros, answerMicros], ofChat),
    toRow(`stream of ${EVENTS_PER_STREAM} events`, [streamMicros, eventsMicros], ofStream),
  ])
  const percent = { limit: 30, unit: '%' }
  return [
    atMost('share of reading in a chat call', 100 * ofChat, percent),
    atMost('share of reading in a stream', 100 * ofStream, percent),
  ]
})
