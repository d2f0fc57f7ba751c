// Which labels of an axis are shown: evenly spaced, the last always, and as many as have room.

/** At the axis' size of type. */
const CHAR_PX = 7
const GAP_PX = 18

export function toEvenTicks(labels: readonly string[], widthPx: number): readonly string[] {
  const longest = Math.max(0, ...labels.map(({ length }) => length))
  const room = Math.max(1, Math.floor(widthPx / (longest * CHAR_PX + GAP_PX)))
  const step = Math.max(1, Math.ceil(labels.length / room))
  const last = labels.length - 1
  return labels.filter((_, place) => (last - place) % step === 0)
}
