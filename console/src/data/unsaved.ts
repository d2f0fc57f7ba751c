// How many forms have something in them that is not saved: what was typed, or a secret that is
// shown once. It is only in the page's memory; no storage of the browser ever has it.

import { createFlag } from './flag.ts'

let forms = 0
const flag = createFlag()

export const hasUnsaved = flag.isSet
export const subscribeUnsaved = flag.subscribe

/** Returns what takes it back. */
export function addUnsaved(): () => void {
  forms += 1
  flag.set(true)
  return () => {
    forms -= 1
    flag.set(forms > 0)
  }
}
