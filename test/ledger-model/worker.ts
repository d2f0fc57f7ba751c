// A proxy worker of a random history: it opens and ends calls in a real journal, and can be killed
// at any byte.

import { setImmediate } from 'node:timers/promises'

import { createMeter } from '../../src/app/meter.ts'
import type { UsageEvent } from '../../src/core/usage-event.ts'
import type { JournalEntry, JournalWriter } from '../../src/journal/journal.ts'
import { openJournalWriter } from '../../src/journal/writer.ts'
import { createCall } from './calls.ts'
import type { Random } from './calls.ts'
import { CrashDisk } from './crash-disk.ts'
import type { ModelEntry } from './model.ts'
import { ModelJournal } from './model.ts'

/** Bytes of a line or two: where a kill falls. */
const CUT_BYTES_MAX = 1500
/** Lines of a newer Weir, which this one cannot read. */
const NEWER_ONE_IN = 150
/** Some so small that a journal is cut into many. */
const SEGMENT_BYTES = [700, 4000, 40_000, 40_000, 40_000] as const

export class ModelWorker {
  readonly name: string
  readonly journal = new ModelJournal()
  readonly #dir: string
  readonly #random: Random
  /** Lines that were handed to the writer and have not reached the disk. */
  #pending: ModelEntry[] = []
  #life: { readonly writer: JournalWriter; readonly disk: CrashDisk } | null = null
  #running: UsageEvent[] = []

  constructor(options: { readonly name: string; readonly dir: string; readonly random: Random }) {
    this.name = options.name
    this.#dir = options.dir
    this.#random = options.random
  }

  get isAlive(): boolean {
    return this.#life !== null
  }

  /** Nothing of it can be open: it has ended in good order, and its last line tells. */
  get isSettled(): boolean {
    const last = this.journal.lines.at(-1)
    return last === undefined || (last.entry.kind === 'end' && !last.isDamaged)
  }

  begin(): void {
    const disk = new CrashDisk((place) => {
      const entry = this.#pending.shift()
      if (entry !== undefined) this.journal.add(entry, place)
    })
    this.#pending = [{ kind: 'start' }]
    const writer = openJournalWriter({
      dir: this.#dir,
      worker: this.name,
      fsync: 'never',
      fsyncIntervalMs: 1,
      segmentBytesMax: SEGMENT_BYTES[this.#random(SEGMENT_BYTES.length)] as number,
      segmentSecondsMax: 3600,
      bufferBytesMax: 1_000_000,
      meter: createMeter(),
      disk,
    })
    this.#life = { writer, disk }
  }

  /** One thing that a worker does; it is in the file when this returns. */
  async act(): Promise<void> {
    this.#append()
    if (this.#random(3) === 0) this.#append()
    await setImmediate()
  }

  async end(): Promise<void> {
    this.#pending.push({ kind: 'end' })
    await this.#life?.writer.close()
    this.#forget()
  }

  /** In the middle of whatever it was writing. */
  async kill(): Promise<void> {
    this.#append()
    this.#append()
    this.#life?.disk.dieAfter(this.#random(CUT_BYTES_MAX))
    await setImmediate()
    this.#forget()
  }

  #forget(): void {
    this.#life?.disk.closeAll()
    this.#life = null
    this.#running = []
    this.#pending = []
  }

  #append(): void {
    const [event] = this.#running
    switch (this.#random(8)) {
      case 0:
      case 1:
      case 2:
        return this.#open()
      case 3:
        if (event !== undefined) this.#awaitCount(event)
        return
      case 4:
        return this.#close({ ...createCall(this.#random), status: 'denied' }, 'close')
      default:
        if (event === undefined) return this.#open()
        this.#running.shift()
        return this.#close(event, 'close')
    }
  }

  #open(): void {
    const event = createCall(this.#random)
    this.#running.push(event)
    const { version: _, ...rest } = event
    // A newer Weir's line now and then; of its opening enough can be made out.
    const version = (this.#random(NEWER_ONE_IN) === 0 ? 9 : 1) as 1
    const { id, keyId, provider, operation, dims, startedAt } = rest
    const opening = { version, id, keyId, provider, operation, dims, startedAt }
    this.#put({ kind: 'open', id }, { kind: 'open', opening })
  }

  #awaitCount(event: UsageEvent): void {
    this.#close({ ...event, usage: 'none', tokens: null, countedAs: undefined }, 'held')
  }

  #close(event: UsageEvent, kind: 'held' | 'close'): void {
    const isReadable = this.#random(NEWER_ONE_IN) !== 0
    const written = isReadable ? event : { ...event, version: 9 as 1 }
    this.#put({ kind, id: event.id, event, isReadable }, { kind, event: written })
  }

  #put(entry: ModelEntry, line: JournalEntry): void {
    this.#pending.push(entry)
    this.#life?.writer.append(line)
  }
}
