// How many forms have something in them that is not saved: what was typed, or a secret that is
// shown once. It is only in the page's memory; no storage of the browser ever has it. A page with
// such a form is left only after a question, and stays, covered, where its session ends.

import { useEffect, useSyncExternalStore } from 'react'

/** A fact about the whole page that components can subscribe to. */
function createFlag() {
  let isSet = false
  const listeners = new Set<() => void>()
  return {
    isSet: (): boolean => isSet,
    set: (value: boolean): void => {
      if (value === isSet) return
      isSet = value
      for (const notify of listeners) notify()
    },
    subscribe: (onChange: () => void) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}

let forms = 0
const unsaved = createFlag()
const ended = createFlag()

export const hasUnsaved = unsaved.isSet
export const subscribeUnsaved = unsaved.subscribe

/** Returns what takes it back. */
export function addUnsaved(): () => void {
  forms += 1
  unsaved.set(true)
  return () => {
    forms -= 1
    unsaved.set(forms > 0)
  }
}

export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => (isUnsaved ? addUnsaved() : undefined), [isUnsaved])
}

/** Whether any form has. A dialog with one in it does not close by Escape. */
export function useHasUnsaved(): boolean {
  return useSyncExternalStore(unsaved.subscribe, unsaved.isSet)
}

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
