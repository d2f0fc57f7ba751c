// A fact about the whole page that components can subscribe to.

export interface Flag {
  readonly isSet: () => boolean
  readonly set: (isSet: boolean) => void
  /** Returns what ends it. */
  readonly subscribe: (onChange: () => void) => () => void
}

export function createFlag(): Flag {
  let isSet = false
  const listeners = new Set<() => void>()
  return {
    isSet: () => isSet,
    set: (value) => {
      if (value === isSet) return
      isSet = value
      for (const notify of listeners) notify()
    },
    subscribe: (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
  }
}
