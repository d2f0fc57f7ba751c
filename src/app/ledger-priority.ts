// The ledger's thread gives way to everybody else on the machine's cores: callers come first while it catches up.
// Must stay true: no other thread of the process is slowed.

import { setPriority } from 'node:os'

/** A tenth of a core where everybody wants it, all of it where nobody does. */
const NICENESS = 10

/**
 * Only on Linux: there the call sets the calling thread's, elsewhere the whole process's, and the API answers in
 * this process. Threads that are begun later by this one inherit it, so it is called when the pool for files exists.
 */
export function giveWay(platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'linux') return
  try {
    setPriority(0, NICENESS)
  } catch {
    // A container may forbid it. The ledger then works at the same priority as the rest.
  }
}
