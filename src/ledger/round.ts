// One round of the ledger: read, price, put aside what cannot be stored, write, acknowledge. Must
// stay true: nothing is acknowledged before it is stored, and the cursor is stored with the batch.
// A round may fail at any line; the next one starts from the stored cursor. A batch that fails for
// no reason of the store's is read again in halves, until a line fails alone and is put aside.

import type { Clock } from '../core/clock.ts'
import { toCompleteness } from '../core/completeness.ts'
import { WeirError } from '../core/weir-error.ts'
import type { Completeness } from '../core/completeness.ts'
import { NO_LAG } from '../journal/journal.ts'
import type { JournalBatch, JournalLag, JournalReader } from '../journal/journal.ts'
import type { PriceTables } from '../pricing/tables/price-tables.ts'
import { CountedMeanwhile, UnstorableRecord } from '../store/ledger/ledger-store.ts'
import type { UsageBatch, LedgerStore } from '../store/ledger/ledger-store.ts'
import { createUsageBatch } from './batch.ts'
import type { LedgerBatch } from './batch.ts'
import type { BudgetWatch } from './budget-watch.ts'
import { findUncountedObjects, findObjects } from './count-once.ts'
import type { DeadLetters } from './dead-letters.ts'
import { LinesAside } from './lines-aside.ts'
import { createWayBack, isElsewhere, readProgress } from './progress.ts'
import type { Progress, WayBack } from './progress.ts'
import type { LedgerStand } from './read-completeness.ts'
import { findOldest, reportBatch, reportCompleteness } from './report-batch.ts'
import type { ReportOptions } from './report-batch.ts'

export interface RoundOptions extends ReportOptions {
  readonly reader: JournalReader
  readonly store: LedgerStore
  readonly deadLetters: DeadLetters
  /** Called for each batch: prices change while the ledger runs. */
  readonly priceTables: () => PriceTables | Promise<PriceTables>
  readonly clock: Clock
  readonly batchLinesMax: number
  /** Left out where there are no budgets. */
  readonly budgets?: BudgetWatch
}

export interface RoundFigures {
  readonly lagBytes: number
  /** All calls that ended before are stored; null until a round has read all there was. */
  readonly caughtUpAt: number | null
  readonly recordsStored: number
  /** Null until the store was first read. */
  readonly completeness: Completeness | null
  /** That the journals are stored again, in a sentence; null while they are not. */
  readonly wayBack: string | null
}

/** A replay in another process changes the tally; this is how long that may go unseen. */
const TALLY_READ_MS = 5000
/** Versions remembered as stored; beyond it they go to the store again. */
const PRICES_REMEMBERED_MAX = 10_000
/** With more refusals a batch is read again in small pieces: each refusal undoes all of it. */
const REFUSED_PER_BATCH_MAX = 8
const SMALL_BATCH_LINES = 64

/** refused: the batch must be made again, without a record or with what others counted. */
type WriteOutcome = 'stored' | 'refused' | { readonly fault: unknown }

export class Round {
  readonly #options: RoundOptions
  readonly #pricesStored = new Set<string>()
  readonly #aside: LinesAside
  readonly #wayBack: WayBack
  #progress: Progress | null = null
  /** A write failed but may have been done anyway: the store must be read again. */
  #isInDoubt = false
  // False at the start too: the process may have died between its last write and this.
  #isAcknowledged = false
  #linesMax: number
  #lag: JournalLag = NO_LAG
  /** Of the same moment as the lag: a call that was just stored would else count twice. */
  #completeness: Completeness | null = null
  #stored = { recordsStored: 0, caughtUpAt: null as number | null }

  constructor(options: RoundOptions) {
    this.#options = options
    this.#aside = new LinesAside(options.deadLetters)
    this.#linesMax = options.batchLinesMax
    this.#wayBack = createWayBack(options.clock, options.log)
  }

  /** One batch from journal to store; true when more is waiting. */
  async run(): Promise<boolean> {
    const { reader, clock, budgets } = this.#options
    await budgets?.before()
    const beganAt = clock.now()
    const progress = await this.#findProgress()
    const read = await this.#read(progress)
    const hasMoved = read.cursors.length > 0
    if (hasMoved) {
      // Before storing as well: while the store fails, the lag must be seen to grow.
      await this.#reportLag(progress, read)
      if (!(await this.#storeBatch(read, progress))) return true
    }
    if (!this.#isAcknowledged) await reader.acknowledge([...progress.cursors.values()])
    this.#isAcknowledged = true
    await this.#refreshTally(progress)
    // What is left counts as old as what was just stored, until the next round reads it.
    await this.#reportLag(progress, read.hasMore ? read : null)
    if (!read.hasMore) this.#stored.caughtUpAt = beganAt
    const openCalls = progress.openCalls.values()
    await budgets?.after({ beganAt, hasStored: hasMoved, hasReadAll: !read.hasMore, openCalls })
    return read.hasMore && hasMoved
  }

  figures(): RoundFigures {
    const { bytes: lagBytes } = this.#lag
    const wayBack = this.#wayBack.text()
    return { lagBytes, completeness: this.#completeness, ...this.#stored, wayBack }
  }

  stand(): LedgerStand | null {
    if (this.#progress === null) return null
    const { cursors, openCalls, tally } = this.#progress
    return { cursors: [...cursors.values()], open: openCalls.size, tally, ...this.#stored }
  }

  openWorkers(): readonly string[] {
    const calls = this.#progress?.openCalls.values() ?? []
    return [...new Set(Array.from(calls, ({ worker }) => worker))]
  }

  /** False when it must be read again, in smaller pieces or without a line. */
  async #storeBatch(read: JournalBatch, progress: Progress): Promise<boolean> {
    const { store, clock, priceTables } = this.#options
    const { openCalls } = progress
    const objects = [...findObjects(read.lines), ...findUncountedObjects(openCalls.values())]
    const context = { openCalls, priceTables: await priceTables(), nowMs: clock.now() }
    for (let refused = 0; refused <= REFUSED_PER_BATCH_MAX; refused += 1) {
      // Each time: another node may have counted one meanwhile.
      const counted = objects.length === 0 ? [] : await store.progress.readCounted(objects)
      const batch = createUsageBatch(read, {
        ...context,
        counted,
        unstorable: this.#aside.reasons,
        pricesStored: this.#pricesStored,
      })
      await this.#aside.write(batch.deadLetters)
      const outcome = await this.#write(batch.usage)
      if (typeof outcome === 'object') return this.#narrow(read, progress, outcome.fault)
      if (outcome === 'stored') {
        this.#settle(batch, progress)
        this.#stored.recordsStored += batch.usage.records.length
        reportBatch(batch, read, this.#options)
        // Back to full batches, step by step.
        this.#linesMax = Math.min(this.#options.batchLinesMax, this.#linesMax * 2)
        return true
      }
    }
    this.#linesMax = this.#linesMax <= SMALL_BATCH_LINES ? 1 : SMALL_BATCH_LINES
    return false
  }

  async #write(usage: UsageBatch): Promise<WriteOutcome> {
    try {
      await this.#options.store.writeBatch(usage)
      return 'stored'
    } catch (error) {
      // Nothing was written, and what was read of the state is still true.
      if (error instanceof CountedMeanwhile) return 'refused'
      // One that is not in the batch, or was taken out of it, would be refused for ever.
      const isNamed = error instanceof UnstorableRecord
      if (isNamed && usage.records.some(({ event }) => event.id === error.eventId)) {
        this.#aside.refuse(error.eventId, error)
        return 'refused'
      }
      this.#isInDoubt = true
      if (!isNamed && !(error instanceof WeirError)) return { fault: error }
      // A store may end what takes too long: half of it is done sooner.
      this.#linesMax = Math.ceil(this.#linesMax / 2)
      throw error
    }
  }

  /** Something in the batch is at fault: half of it is tried, and a line alone is left out. */
  #narrow(read: JournalBatch, { openCalls }: Progress, error: unknown): false {
    const isAlone = read.lines.length + read.unreadLines.length <= 1
    if (!isAlone) this.#linesMax = Math.ceil(this.#linesMax / 2)
    else if (!this.#aside.blame(read.lines, openCalls, error)) throw error
    return false
  }

  #settle({ usage, deadLetters }: LedgerBatch, progress: Progress): void {
    const { cursors, openCalls, tally } = progress
    for (const cursor of usage.cursors) cursors.set(cursor.worker, cursor)
    for (const call of usage.opened) openCalls.set(call.opening.id, call)
    for (const id of usage.settledIds) openCalls.delete(id)
    if (this.#pricesStored.size > PRICES_REMEMBERED_MAX) this.#pricesStored.clear()
    for (const { version } of usage.prices) this.#pricesStored.add(version)
    this.#aside.settle(deadLetters)
    this.#isAcknowledged = false
    // The store does not count repeats; the next read of its tally corrects that.
    const recorded = usage.records.filter(({ event }) => event.status !== 'denied').length
    progress.tally = {
      forwarded: tally.forwarded + usage.forwarded,
      recorded: tally.recorded + recorded,
      dead: tally.dead + usage.dead,
    }
  }

  async #findProgress(): Promise<Progress> {
    const known = this.#progress
    if (known !== null && !this.#isInDoubt) return known
    const { store, clock } = this.#options
    const found = await readProgress(store.progress, clock).catch(async (error: unknown) => {
      if (known !== null) await this.#reportLag(known, await this.#read(known))
      throw error
    })
    if (known !== null) this.#wayBack.compare(known, found)
    this.#pricesStored.clear()
    this.#isInDoubt = false
    this.#progress = found
    return found
  }

  #read({ cursors }: Progress): Promise<JournalBatch> {
    return this.#options.reader.read([...cursors.values()], this.#linesMax)
  }

  async #refreshTally(progress: Progress): Promise<void> {
    const now = this.#options.clock.monotonic()
    if (now - progress.tallyReadAt < TALLY_READ_MS) return
    const { tally, cursors } = await this.#options.store.progress.readState()
    progress.tally = tally
    progress.tallyReadAt = now
    this.#isInDoubt = isElsewhere(cursors, progress)
  }

  async #reportLag(progress: Progress, waiting: JournalBatch | null): Promise<void> {
    const { reader, clock, meter } = this.#options
    this.#lag = await reader.lag([...progress.cursors.values()])
    meter.set('journalLag', this.#lag.bytes)
    const since = waiting === null ? null : findOldest(waiting)
    meter.set('journalLagSeconds', since === null ? 0 : Math.max(0, clock.now() - since) / 1000)
    const { tally, openCalls } = progress
    const { calls: unread, ...lag } = this.#lag
    this.#completeness = toCompleteness({ ...tally, ...lag, open: openCalls.size, unread })
    reportCompleteness(this.#completeness, meter)
    this.#wayBack.follow(progress.cursors, this.#completeness.lost)
  }
}
