// Notices when the machine's clock is set: calls are assigned to days and months by it, so an
// operator has to know of a jump. Durations use a clock that never jumps.

import type { Clock } from '../core/clock.ts'
import type { Meter } from '../core/telemetry.ts'

export interface ClockWatchOptions {
  readonly clock: Clock
  readonly meter: Meter
  readonly warn: (fields: object, message: string) => void
}

const LOOK_MS = 1000
/** Smaller corrections keep the days right; correcting a drift stays far below. */
const JUMP_MS_MIN = 1000

export interface ClockWatch {
  readonly look: () => void
  readonly close: () => void
}

export function openClockWatch({ clock, meter, warn }: ClockWatchOptions): ClockWatch {
  let offset = clock.now() - clock.monotonic()
  function look(): void {
    const next = clock.now() - clock.monotonic()
    const jumpMs = Math.round(next - offset)
    offset = next
    if (Math.abs(jumpMs) < JUMP_MS_MIN) return
    meter.add('clockJumps', 1)
    warn({ jumpMs }, 'The clock of this machine was set; calls are dated by it.')
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  return { look, close: () => clearInterval(timer) }
}
