// A host that takes the cores away for half a second says nothing about what ran on them. Of
// several measurements those count in which the least time was stolen, for all contenders alike.

/** What was measured, and how much time was stolen meanwhile. */
export interface Disturbed<Measured> {
  readonly measured: Measured
  readonly stolenMicros: number
}

/**
 * The half that was disturbed the least, at least one, in the order in which they were measured.
 */
export function calmest<Measured>(all: readonly Disturbed<Measured>[]): Measured[] {
  const limit = all.map(({ stolenMicros }) => stolenMicros).toSorted((a, b) => a - b)
  const most = limit[Math.ceil(all.length / 2) - 1] ?? 0
  return all.filter(({ stolenMicros }) => stolenMicros <= most).map(({ measured }) => measured)
}
