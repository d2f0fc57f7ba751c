// The time by which a store measures its moments: this machine's, or that of the database which
// several nodes share.

import type { Clock } from '../core/clock.ts'

export interface StoreClock extends Clock {
  /** How far it is ahead of this machine's clock; negative where it is behind. */
  offsetMs(): number
}
