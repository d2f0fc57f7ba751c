// Room that a worker keeps for when its disk is full. A segment is removed once a later one has a
// line that is stored; on a full disk there would never be one, and a journal that alone fills its
// disk would fill it for ever. Must stay true: nothing here throws.

import { join } from 'node:path'

import type { Meter } from '../core/telemetry.ts'
import type { JournalDisk } from './disk.ts'
import { LINE_BYTES_MAX } from './format.ts'

/** The rest of a line that the disk took in part, and a whole one in the next segment. */
const RESERVE_BYTES = 2 * LINE_BYTES_MAX

export class DiskReserve {
  readonly #file: string
  readonly #disk: JournalDisk
  readonly #meter: Meter
  #isThere = false

  constructor({ dir, disk, meter }: { dir: string; disk: JournalDisk; meter: Meter }) {
    this.#file = join(dir, 'reserve')
    this.#disk = disk
    this.#meter = meter
  }

  /** Where it is missing: at the start, and once the disk takes lines again. */
  fill(): void {
    if (this.#isThere) return
    this.#isThere = this.#try(() => this.#disk.rewrite(this.#file, Buffer.alloc(RESERVE_BYTES)))
  }

  /** True where there is room now that was not there before. */
  free(): boolean {
    if (!this.#isThere) return false
    this.#isThere = false
    return this.#try(() => this.#disk.remove(this.#file))
  }

  #try(work: () => void): boolean {
    try {
      work()
      return true
    } catch {
      this.#meter.add('journalWriteFailures', 1)
      return false
    }
  }
}
