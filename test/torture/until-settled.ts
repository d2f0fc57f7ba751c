// Asks the program how complete its record is, and waits until nothing is pending.

import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../src/core/clock.ts'
import type { Completeness } from '../../src/core/completeness.ts'
import type { Program } from '../fakes/program.ts'

const SETTLE_MS_MAX = 120_000
const MOMENT_MS = 100

/** Resolves when nothing waits any more, or tells how it stands when that takes too long. */
export async function untilSettled(program: Program, token: string): Promise<Completeness> {
  const until = systemClock.monotonic() + SETTLE_MS_MAX
  for (;;) {
    const completeness = await readCompleteness(program, token)
    const isLate = systemClock.monotonic() > until
    if (completeness !== null && (completeness.pending === 0 || isLate)) return completeness
    if (isLate) throw new Error('The API did not say how complete the record is.')
    await pause(MOMENT_MS)
  }
}

/** Null while the API is being started. */
export async function readCompleteness(
  program: Program,
  token: string,
): Promise<Completeness | null> {
  try {
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${program.addresses.api}/v1/completeness`, { headers })
    return response.ok ? ((await response.json()) as Completeness) : null
  } catch {
    return null
  }
}
