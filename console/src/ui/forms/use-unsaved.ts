// Marks a form that has something unsaved in it: the page is then left only after a question, and
// the end of a session leaves it where it is.

import { useEffect, useSyncExternalStore } from 'react'
import { addUnsaved, hasUnsaved, subscribeUnsaved } from '../../data/unsaved.ts'

export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => (isUnsaved ? addUnsaved() : undefined), [isUnsaved])
}

/** Whether any form has. A dialog with one in it does not close by Escape. */
export function useHasUnsaved(): boolean {
  return useSyncExternalStore(subscribeUnsaved, hasUnsaved)
}
