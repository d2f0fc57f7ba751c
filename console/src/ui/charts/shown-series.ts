// Which series of a chart are drawn, as its legend switches them. Must stay true: one of them at
// least is.

/** The ids that are off. One that the chart no longer has does no harm. */
export type Off = ReadonlySet<string>

export const NONE_OFF: Off = new Set()

/** Switched off as the last one, all are back. */
export function toggle(off: Off, id: string, all: readonly string[]): Off {
  const next = new Set(off)
  if (!next.delete(id)) next.add(id)
  return all.every((each) => next.has(each)) ? NONE_OFF : next
}

/** That one alone; where it already is, all of them. */
export function isolate(off: Off, id: string, all: readonly string[]): Off {
  return isAlone(off, id, all) ? NONE_OFF : new Set(all.filter((each) => each !== id))
}

export function isAlone(off: Off, id: string, all: readonly string[]): boolean {
  return all.every((each) => off.has(each) === (each !== id))
}
