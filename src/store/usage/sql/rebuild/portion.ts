// A month has as many sums as its callers make up values. Where they are more than may be in memory
// at once, they are made in portions, each of them from all calls. Must stay true: a sum is in one
// portion, and in the same one whenever it is looked at.

/** Of rows of sums and of what differs in them; each takes up to a kilobyte. */
export const ROWS_BUFFERED_MAX = 200_000

/** One of `of` portions, of which there are 1, 2, 4 … */
export interface Portion {
  readonly of: number
  readonly at: number
}

export const ALL_SUMS: Portion = { of: 1, at: 0 }

/** Together they have the sums of the portion. */
export function split({ of, at }: Portion): readonly Portion[] {
  return [
    { of: of * 2, at },
    { of: of * 2, at: at + of },
  ]
}

export class TooManyRows extends Error {}

/** By the ids of a sum's names, separated. A name that is not stored has a negative one. */
export type IsWanted = (ids: string) => boolean

export function toFilter({ of, at }: Portion, missingName: (id: number) => string): IsWanted {
  if (of === 1) return () => true
  const toName = (id: string): string => missingName(Number(id))
  return (ids) => {
    // It would have another number the next time.
    const names = ids.includes('-') ? ids.replaceAll(/-\d+/g, toName) : ids
    return (hash(names) & (of - 1)) === at
  }
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), its bits mixed so that the last ones do. */
function hash(text: string): number {
  let sum = 0x81_1c_9d_c5
  for (let at = 0; at < text.length; at += 1) {
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01_00_01_93)
  }
  return sum ^ (sum >>> 15)
}
