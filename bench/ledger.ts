// What the ledger costs: journal lines through matching, pricing and rollups into SQLite, against a
// bare INSERT of the same records into the same table, in one run. Take the ratios, not the times:
// both share this machine with whatever else runs on it.

import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createRequestId } from '../src/core/ids.ts'
import { createTokenCounts } from '../src/core/token-counts.ts'
import { toInterruptedEvent } from '../src/core/usage-event.ts'
import type { UsageEvent } from '../src/core/usage-event.ts'
import type { UsageRecord } from '../src/core/usage-record.ts'
import type { JournalLine } from '../src/journal/journal.ts'
import { createUsageBatch } from '../src/ledger/batch.ts'
import { createPriceBook } from '../src/pricing/price-book.ts'
import { priceEvent } from '../src/pricing/price.ts'
import { INSERT_RECORD, toRecordRow } from '../src/store/usage/sqlite-record-row.ts'
import { openSqliteUsage } from '../src/store/usage/sqlite.ts'

const EVENTS = 100_000
const BATCH_EVENTS = 2500
const KEYS = 200
const MODELS = 60
const DIM_VALUES = 2000
const PROVIDER = 'openai'
const START_MS = Date.parse('2026-10-15T12:00:00Z')

interface Figures {
  readonly name: string
  readonly eventsPerSecond: number
  readonly cpuMicrosPerEvent: number
  readonly bytesPerEvent: number
}

// A linear congruential generator with a fixed seed: every run writes the same keys.
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 8) % below
  }
}

// Dated snapshots of two known models: all have a price, and all are names of their own.
const MODEL_NAMES = Array.from({ length: MODELS }, (_, index) => {
  const day = String(1 + (index % 28)).padStart(2, '0')
  const month = String(1 + Math.floor(index / 28)).padStart(2, '0')
  return `gpt-4.1${index % 2 === 0 ? '' : '-mini'}-2026-${month}-${day}`
})

function createEvents(count: number): UsageEvent[] {
  const random = createRandom(20_261_015)
  return Array.from({ length: count }, (_, index) => {
    const endedAt = START_MS + index * 10
    const opening = {
      version: 1,
      id: createRequestId(endedAt - 900),
      keyId: `svc_k_${String(random(KEYS)).padStart(16, '0')}`,
      provider: PROVIDER,
      operation: 'openai-chat',
      dims: {
        team: `team-${random(50)}`,
        app: `app-${random(450)}`,
        user: `user-${random(DIM_VALUES - 500)}`,
      },
      startedAt: endedAt - 900,
    } as const
    const model = MODEL_NAMES[random(MODELS)] as string
    const input = 200 + random(4000)
    return {
      ...toInterruptedEvent(opening, endedAt),
      status: 'delivered',
      usage: 'reported',
      requestedModel: model,
      model,
      httpStatus: 200,
      streamed: true,
      firstByteAt: endedAt - 500,
      requestBytes: 1200,
      responseBytes: 4000,
      tokens: createTokenCounts({ input, output: random(900), cacheRead: random(200) }),
    }
  })
}

function toLines(events: readonly UsageEvent[]): JournalLine[] {
  return events.flatMap((event, index) => [
    { worker: 'w1', sequence: 2 * index + 1, entry: { kind: 'open', opening: event } },
    { worker: 'w1', sequence: 2 * index + 2, entry: { kind: 'close', event } },
  ])
}

async function measure(name: string, file: string, write: () => Promise<void>): Promise<Figures> {
  const cpuBefore = process.cpuUsage()
  const before = performance.now()
  await write()
  const seconds = (performance.now() - before) / 1000
  const cpu = process.cpuUsage(cpuBefore)
  // Folds the write-ahead log into the file, so that the file's size is the whole truth.
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return {
    name,
    eventsPerSecond: EVENTS / seconds,
    cpuMicrosPerEvent: (cpu.user + cpu.system) / EVENTS,
    bytesPerEvent: (await stat(file)).size / EVENTS,
  }
}

async function measureLedger(file: string, events: readonly UsageEvent[]): Promise<Figures> {
  const store = await openSqliteUsage({ file })
  const book = createPriceBook()
  const batches: JournalLine[][] = []
  for (let at = 0; at < EVENTS; at += BATCH_EVENTS) {
    batches.push(toLines(events.slice(at, at + BATCH_EVENTS)))
  }
  const figures = await measure('ledger: match, price, record, rollups', file, async () => {
    for (const [index, lines] of batches.entries()) {
      const offset = (index + 1) * lines.length
      const cursors = [{ worker: 'w1', segment: 1, offset, sequence: offset }]
      const context = { openCalls: new Map(), book, nowMs: START_MS }
      await store.write(createUsageBatch({ lines, cursors }, context))
    }
  })
  await store.close()
  return figures
}

async function measureBareInsert(file: string, events: readonly UsageEvent[]): Promise<Figures> {
  await (await openSqliteUsage({ file })).close()
  const database = new DatabaseSync(file)
  // The store's own settings: the peer differs in what it writes, not in how.
  database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
  database.exec('PRAGMA wal_autocheckpoint = 16384')
  const insert = database.prepare(INSERT_RECORD)
  const book = createPriceBook()
  const records: UsageRecord[] = events.map((event) => ({ event, cost: priceEvent(event, book) }))
  const figures = await measure('peer: bare INSERT of the records', file, async () => {
    for (let at = 0; at < EVENTS; at += BATCH_EVENTS) {
      database.exec('BEGIN IMMEDIATE')
      for (const record of records.slice(at, at + BATCH_EVENTS)) insert.run(...toRecordRow(record))
      database.exec('COMMIT')
    }
  })
  database.close()
  return figures
}

function print(ledger: Figures, peer: Figures): void {
  console.log(
    `${EVENTS} events in batches of ${BATCH_EVENTS}: ${KEYS} keys, ${MODELS} models, 3 dimensions`,
  )
  for (const { name, eventsPerSecond, cpuMicrosPerEvent, bytesPerEvent } of [ledger, peer]) {
    const figures = [
      `${eventsPerSecond.toFixed(0)} events/s`,
      `${cpuMicrosPerEvent.toFixed(1)} µs CPU an event`,
      `${bytesPerEvent.toFixed(0)} bytes an event`,
    ]
    console.log(`  ${name.padEnd(40)}${figures.join(', ')}`)
  }
  const cpuRatio = ledger.cpuMicrosPerEvent / peer.cpuMicrosPerEvent
  const sizeRatio = ledger.bytesPerEvent / peer.bytesPerEvent
  console.log(`  ratio: ${cpuRatio.toFixed(2)} × CPU, ${sizeRatio.toFixed(2)} × bytes`)
}

const directory = await mkdtemp(join(tmpdir(), 'weir-bench-ledger-'))
try {
  const events = createEvents(EVENTS)
  const peer = await measureBareInsert(join(directory, 'peer.db'), events)
  const ledger = await measureLedger(join(directory, 'usage.db'), events)
  print(ledger, peer)
} finally {
  await rm(directory, { recursive: true })
}
