// Whether the session has ended under a page with something unsaved. The page then stays, covered,
// until the same user has signed in again.

import { useSyncExternalStore } from 'react'
import { createFlag } from './flag.ts'
import { hasUnsaved } from './unsaved.ts'

const ended = createFlag()

/** False where nothing would be lost: the page is left for the sign-in page. */
export function stayAtSessionEnd(): boolean {
  if (hasUnsaved()) ended.set(true)
  return ended.isSet()
}

export function resumeSession(): void {
  ended.set(false)
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(ended.subscribe, ended.isSet)
}
