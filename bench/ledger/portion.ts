// What the processes that store calls report to the benchmark.

import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

import type { UsageStore, UsageSum } from '../../src/store/usage/usage-store.ts'
import { median } from '../harness/quantile.ts'

export interface Portion {
  readonly calls: number
  readonly seconds: number
  /** User and system time of the process that stores, all in. */
  readonly cpuMicros: number
  /**
   * For each call of a batch, that of the middle batch: what disturbed a few of them does not show.
   */
  readonly middleMicros: number
  /** The store's file on the disk, after a checkpoint. */
  readonly bytes: number
}

/** Counts batches of calls, from now on. */
export class PortionMeter {
  readonly #startedAt = performance.now()
  readonly #batches: { readonly calls: number; readonly cpuMicros: number }[] = []
  #before = process.cpuUsage()

  /** A batch is stored. */
  add(calls: number): void {
    const { user, system } = process.cpuUsage(this.#before)
    this.#before = process.cpuUsage()
    this.#batches.push({ calls, cpuMicros: user + system })
  }

  end(file: string): Portion {
    const batches = this.#batches
    const seconds = (performance.now() - this.#startedAt) / 1000
    // The last one is as large as what was left.
    const whole = batches.filter(({ calls }) => calls * 2 > (batches[0]?.calls ?? 0))
    return {
      calls: batches.reduce((sum, { calls }) => sum + calls, 0),
      cpuMicros: batches.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0),
      middleMicros: median(whole, ({ calls, cpuMicros }) => cpuMicros / calls),
      seconds,
      bytes: readCheckpointedBytes(file),
    }
  }
}

/** The size of a database's file when nothing is left in the write-ahead log. */
export function readCheckpointedBytes(file: string): number {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  return statSync(file).size
}

/** Over all months. */
export async function sumAll(usage: UsageStore): Promise<UsageSum | undefined> {
  const period = { grain: 'month', from: '2020-01', to: '2099-12' } as const
  const [total] = await usage.sum({ period, grouping: { by: 'total' }, keyId: null })
  return total
}
