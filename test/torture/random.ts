// Choices and made-up calls that can be drawn again.

export type Random = (below: number) => number

/** A linear congruential generator: the same seed, the same choices. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
