// A data directory in which random histories are played: real journals, the real ledger, a real
// store, and faults that strike where a history says.

import { closeSync, existsSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDeadLetterFile, deadLetterFile } from '../../src/ledger/dead-letter-file.ts'
import { replayLetterFile } from '../../src/ledger/replay-letter-file.ts'
import { createMeter } from '../../src/app/meter.ts'
import { NO_LAG } from '../../src/journal/journal.ts'
import type { JournalReader } from '../../src/journal/journal.ts'
import { openJournalReader } from '../../src/journal/reader.ts'
import { Round } from '../../src/ledger/round.ts'
import { openSqliteLedger } from '../../src/store/ledger/sqlite/store.ts'
import { StoreBusy } from '../../src/store/store-busy.ts'
import { UnstorableRecord } from '../../src/store/ledger/ledger-store.ts'
import type { UsageBatch, LedgerStore } from '../../src/store/ledger/ledger-store.ts'
import { layEmptyStore } from '../fakes/sqlite/empty-stores.ts'
import { createBook, NOW, UNSTORABLE } from './calls.ts'
import { BUDGETS, slugOf } from './check-budgets.ts'
import type { Random } from './calls.ts'
import { ModelWorker } from './worker.ts'

/** Where the next round of the ledger fails. */
export type LedgerFault = 'letter' | 'before write' | 'after write' | 'acknowledge'

const WORKERS = ['w0', 'w1', 'w2']
const WORKER_COUNTS = [1, 1, 1, 2, 2, 3] as const
const BATCH_LINES = [2, 9, 30, 100, 100] as const
const BATCH_LINES_LAST = 200
/**
 * A directory in memory, where there is one: every batch is synced, and a real disk would take
 * minutes over it.
 */
const ROOTS = ['/dev/shm', tmpdir()]

export class ModelScene {
  readonly workers: readonly ModelWorker[]
  readonly store: LedgerStore
  readonly reader: JournalReader
  /** Whether what could not be priced or stored now can. */
  isMended = false
  fault: LedgerFault | null = null
  readonly #dataDir: string
  readonly #random: Random
  readonly #book = createBook(() => this.isMended)
  #round: Round
  /** Lines that no round has read yet, by worker: behind this many. */
  readonly #seen = new Map<ModelWorker, number>()

  static async open(random: Random): Promise<ModelScene> {
    const root = ROOTS.find((dir) => existsSync(dir)) as string
    const dataDir = mkdtempSync(join(root, 'weir-model-'))
    const file = join(dataDir, 'usage.db')
    await layEmptyStore('usage', file)
    const store = await openSqliteLedger({ file })
    await store.progress.budgets.watch(BUDGETS, { slugOf, nowMs: NOW })
    return new ModelScene(dataDir, store, random)
  }

  private constructor(dataDir: string, store: LedgerStore, random: Random) {
    this.#dataDir = dataDir
    this.#random = random
    this.store = store
    const dir = join(dataDir, 'journal')
    this.reader = openJournalReader({ dir })
    const names = WORKERS.slice(0, WORKER_COUNTS[random(WORKER_COUNTS.length)])
    this.workers = names.map((name) => new ModelWorker({ name, dir, random }))
    this.#round = this.#createRound(BATCH_LINES_LAST)
  }

  async close(): Promise<void> {
    await this.store.close()
    rmSync(this.#dataDir, { recursive: true })
  }

  /** One batch; true when more is waiting. A fault strikes once. */
  async runLedger(fault: LedgerFault | null): Promise<boolean> {
    this.fault = fault
    for (const worker of this.workers) this.#seen.set(worker, worker.journal.lines.length)
    try {
      return await this.#round.run()
    } catch (error) {
      if (!(error instanceof InjectedFault)) throw error
      return true
    } finally {
      this.fault = null
    }
  }

  async killLedger(): Promise<void> {
    await this.store.progress.budgets.watch(BUDGETS, { slugOf, nowMs: NOW })
    const index = this.#random(BATCH_LINES.length)
    this.#round = this.#createRound(BATCH_LINES[index] as number)
  }

  /** Reads all that is left, by the ledger that runs or by another. */
  async drain(): Promise<void> {
    if (this.#random(4) > 0) this.#round = this.#createRound(BATCH_LINES_LAST)
    while (await this.runLedger(null));
  }

  async replay(): Promise<void> {
    // Without letters it does nothing, slowly.
    if (!existsSync(deadLetterFile(this.#dataDir)) && this.#random(10) > 0) return
    const place = { dataDir: this.#dataDir, priceTables: this.#book, nowMs: NOW, isTrial: false }
    await replayLetterFile(this.#guardStore(), place)
  }

  /** Flips a bit of a line that no round has read; false when there is none. */
  damage(): boolean {
    const worker = this.workers[this.#random(this.workers.length)] as ModelWorker
    const fresh = worker.journal.lines.slice(this.#seen.get(worker) ?? 0)
    const line = fresh[this.#random(Math.max(1, fresh.length))]
    if (line === undefined || line.isDamaged) return false
    const { file, start, end } = line.place
    flipBit(file, start + this.#random(end - start - 1), this.#random)
    line.isDamaged = true
    return true
  }

  #createRound(batchLinesMax: number): Round {
    const { reader } = this
    const letters = createDeadLetterFile(this.#dataDir)
    const strike = (fault: LedgerFault): void => this.#strike(fault)
    return new Round({
      reader: {
        ...reader,
        acknowledge: async (cursors) => {
          strike('acknowledge')
          // A ledger that dies before it comes to this leaves it to a later one.
          if (this.#random(3) === 0) await reader.acknowledge(cursors)
        },
        // Told twice a round, at the price of everything else; the checks ask for it.
        lag: async () => NO_LAG,
      },
      store: this.#guardStore(),
      deadLetters: {
        append: async (more) => {
          strike('letter')
          await letters.append(more)
        },
      },
      priceTables: () => this.#book,
      clock: { now: () => NOW, monotonic: () => 0 },
      meter: createMeter(),
      batchLinesMax,
    })
  }

  #guardStore(): LedgerStore {
    const { store } = this
    const write = async (batch: UsageBatch): Promise<void> => {
      this.#strike('before write')
      const odd = batch.records.find(({ event }) => event.model === UNSTORABLE)
      if (odd !== undefined && !this.isMended) {
        const fault = new RangeError('no column can hold it')
        // Not every fault of a record tells which one it is.
        throw this.#random(2) === 0 ? new UnstorableRecord(odd.event.id, fault) : fault
      }
      await store.writeBatch(batch)
      this.#strike('after write')
    }
    return { ...store, writeBatch: write }
  }

  #strike(fault: LedgerFault): void {
    if (this.fault !== fault) return
    this.fault = null
    throw new InjectedFault(fault)
  }
}

class InjectedFault extends StoreBusy {}

const LF = 10

function flipBit(file: string, offset: number, random: Random): void {
  const fd = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(fd, byte, 0, 1, offset)
  const before = byte[0] as number
  // A line feed would make two damaged lines of one.
  do byte[0] = before ^ (1 << random(8))
  while (byte[0] === LF)
  writeSync(fd, byte, 0, 1, offset)
  closeSync(fd)
}
