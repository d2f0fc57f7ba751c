// Counts that limit how often something may happen. Must stay true: a count never fails a request
// and never makes it wait long, so where it is shared and cannot be reached, a process counts by
// itself.

/** At most so many within any stretch of the window. */
export interface CountedWindow {
  /** What is counted, such as `token`; names of one group do not push out those of another. */
  readonly group: string
  readonly name: string
  readonly limit: number
  readonly windowMs: number
}

export interface WindowCount {
  readonly isAllowed: boolean
  /** This one included, unless it was one too many. */
  readonly count: number
  /** Until the oldest no longer counts. */
  readonly resetMs: number
}

/** A leaky bucket: it takes so many, and loses one after each `everyMs`. */
export interface Bucket {
  readonly group: string
  readonly name: string
  readonly size: number
  readonly everyMs: number
}

export interface CounterStore {
  /** Counts one unless it is one too many. */
  take(window: CountedWindow): Promise<WindowCount>
  /** Adds one to each, or to none. Returns 0, or for how long one of them stays full. */
  fill(buckets: readonly Bucket[]): Promise<number>
  /** Takes the last one, or all, out of a bucket again. */
  giveBack(bucket: Bucket, what: 'one' | 'all'): Promise<void>
}
