// Waits for what another process does at its own pace.

import { setTimeout as pause } from 'node:timers/promises'

const LOOK_MS = 50
/** Only what hangs takes so long. */
const WAIT_MS_MAX = 180_000

/** Looks again and again; `what` ends the sentence of the error: "Weir did not …". */
export async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const giveUpAt = performance.now() + WAIT_MS_MAX
  while (!(await isSo())) {
    if (performance.now() > giveUpAt) throw new Error(`In vain was waited until ${what}.`)
    await pause(LOOK_MS)
  }
}
