// A proxy knows a new key a moment after it was made; asked for an unknown provider, it answers
// without the upstream, and nothing is recorded.

import { setTimeout as pause } from 'node:timers/promises'

import { systemClock } from '../../../src/core/clock.ts'

/** Only what hangs takes so long. */
const KEY_MS_MAX = 120_000

export async function untilKeyKnown(proxy: string, key: string): Promise<void> {
  const ask = () => fetch(`${proxy}/v1/unknown/`, { headers: { 'x-svc-api-key': key } })
  const until = systemClock.monotonic() + KEY_MS_MAX
  for (;;) {
    const answer = await ask()
    await answer.arrayBuffer()
    if (answer.status !== 401) return
    if (systemClock.monotonic() > until) throw new Error('the new key is not known')
    await pause(20)
  }
}
