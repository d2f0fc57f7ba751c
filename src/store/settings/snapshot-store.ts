// Answers that all API processes share for a while.

/** An answer that is kept for a while, so that the same question gets the same answer meanwhile. */
export interface Snapshot {
  /** What was asked, all of it. */
  readonly identity: string
  readonly takenAt: number
  /** Exclusive. */
  readonly validUntil: number
  readonly text: string
}

/** Shared by all processes on this store. */
export interface SnapshotStore {
  /** Null when there is none that is valid now. */
  find(identity: string): Promise<Snapshot | null>
  /**
   * Of several that are taken of the same at once, the first stays: the one that counts is
   * returned. Throws rather than wait while another process writes.
   */
  put(snapshot: Snapshot): Promise<Snapshot>
}
