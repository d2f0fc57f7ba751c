// Seeded random numbers: the same seed draws the same numbers, so that a history is the same on
// every machine.

/** From 0 up to, not including, 1. */
export type Random = () => number

/** Mulberry32: a word of state, and quick. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Around the middle, rarely far from it: sizes of prompts and answers are spread like this. */
export function drawSize(random: Random, middle: number): number {
  const bell = random() + random() + random() - 1.5
  return Math.max(1, Math.round(middle * Math.exp(bell * 0.9)))
}

/** One of them, each as often as its weight says. */
export function drawWeighted<Item extends { readonly weight: number }>(
  random: Random,
  items: readonly Item[],
): Item {
  let rest = random() * items.reduce((sum, { weight }) => sum + weight, 0)
  const found = items.find(({ weight }) => (rest -= weight) < 0)
  return found ?? (items.at(-1) as Item)
}

/** A UUIDv7 of the moment, as request ids are, with bits that can be drawn again. */
export function drawRequestId(random: Random, atMs: number): string {
  const time = atMs.toString(16).padStart(12, '0')
  const hex = (digits: number): string =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`
}
