// One of those compared: an address that takes the calls, and the processes that are charged for
// them.

export interface Contender {
  readonly name: string
  readonly port: number
  /** Where a chat completion is asked for. */
  readonly path: string
  /** What it needs beside the headers of an SDK: `name: value`. */
  readonly headers: readonly string[]
  /** The processes that work for a call while its caller waits. */
  readonly pids: readonly number[]
  /** Gets fewer calls: at full measure it would take longer than all the others together. */
  readonly isSlow: boolean
  /** False when it parses and writes answers again; their bytes are then its own. */
  readonly isPassThrough: boolean
  /** Calls answered with 200 so far; counted by the sender. */
  answered: number
  /**
   * Waits until nothing is left to do for past calls, and fails when one of them was not dealt
   * with.
   */
  settle(): Promise<void>
  close(): Promise<void>
}

/** What most contenders have in common. */
export function createContender(
  own: Pick<Contender, 'name' | 'port' | 'pids'> & Partial<Contender>,
): Contender {
  return {
    path: '/v1/gateway/v1/chat/completions',
    headers: [],
    isSlow: false,
    isPassThrough: true,
    answered: 0,
    settle: async () => {},
    close: async () => {},
    ...own,
  }
}
