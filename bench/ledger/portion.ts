// What the processes that store calls report to the benchmark.

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

export interface StoredBatch {
  readonly calls: number
  readonly cpuMicros: number
}

export function toPortion(
  batches: readonly StoredBatch[],
  { seconds, bytes }: { readonly seconds: number; readonly bytes: number },
): Portion {
  const sum = (pick: (batch: StoredBatch) => number): number =>
    batches.reduce((total, batch) => total + pick(batch), 0)
  // The last one is as large as what was left.
  const whole = batches.filter(({ calls }) => calls * 2 > (batches[0]?.calls ?? 0))
  const costs = whole.map(({ calls, cpuMicros }) => cpuMicros / calls).toSorted((a, b) => a - b)
  return {
    calls: sum(({ calls }) => calls),
    cpuMicros: sum(({ cpuMicros }) => cpuMicros),
    middleMicros: costs[Math.floor(costs.length / 2)] ?? Number.NaN,
    seconds,
    bytes,
  }
}

export function readOwnCpuMicros(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
