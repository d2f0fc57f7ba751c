// Answers that all API processes share for a while, so that the same question gets the same answer.

export interface Snapshot {
  /** The whole question. */
  readonly identity: string
  readonly takenAt: number
  /** Exclusive. */
  readonly validUntil: number
  readonly text: string
}

export interface SnapshotStore {
  /** Null when none is valid now. */
  find(identity: string): Promise<Snapshot | null>
  /** Returns the first of several taken at once. Throws rather than wait for another process. */
  put(snapshot: Snapshot): Promise<Snapshot>
}
