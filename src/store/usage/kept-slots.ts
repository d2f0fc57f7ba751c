// Which dimensions the sums of a month have columns for, and which values they keep apart. Places
// are given in the order in which they are asked for, with a share for each key, so that none takes
// the places of the others. Must stay true: a place stays, and what a key's calls were refused they
// are refused until the month's end, even if another key gets that place: sums are taken back and
// made again from the records, and have to come out the same.

import {
  DIM_VALUES_PER_KEY_MAX,
  DIM_VALUES_PER_MONTH_MAX,
  DIMS_PER_KEY_MAX,
  DIMS_PER_MONTH_MAX,
} from './analysis.ts'

/** The dimension whose values are the names of the others: the id of the empty name. */
export const NAMES = 0
/** Whose places are not counted: names that settings use, or that the month before had. */
export const EVERYONE = 0

export interface KeptSlot {
  readonly dim: number
  readonly value: number
  /** Who brought it. */
  readonly key: number
  /** The first of a dimension is 1. 0 is before all: of a fact, and where an older Weir gave it. */
  readonly place: number
}

export interface SlotLimits {
  readonly total: number
  readonly share: number
}

export const SLOT_LIMITS: Readonly<Record<'names' | 'values', SlotLimits>> = {
  names: { total: DIMS_PER_MONTH_MAX, share: DIMS_PER_KEY_MAX },
  values: { total: DIM_VALUES_PER_MONTH_MAX, share: DIM_VALUES_PER_KEY_MAX },
}

export interface KeptSlots {
  /** All that is stored of these dimensions, instead of what was known of them. */
  load(dims: Iterable<number>, places: Iterable<KeptSlot>): void
  /** Whether it has a place for this key; null where `take` has to decide. */
  find(dim: number, value: number, key: number): boolean | null
  /** The same, with a new place where there is room. */
  take(dim: number, value: number, key: number): boolean
  /** Names of dimensions that get a place in any case. */
  reserve(names: Iterable<number>): void
  /** The same for names that no caller can bring: none of their calls was ever refused them. */
  reserveFacts(names: Iterable<number>): void
}

export function createKeptPlaces(
  onGiven: (place: KeptSlot) => void,
  limits: typeof SLOT_LIMITS = SLOT_LIMITS,
): KeptSlots {
  const lists = new Map<number, SlotList>()

  function listOf(dim: number): SlotList {
    const known = lists.get(dim)
    if (known !== undefined) return known
    const list = new SlotList(dim === NAMES ? limits.names : limits.values)
    lists.set(dim, list)
    return list
  }

  function give(slot: KeptSlot): void {
    listOf(slot.dim).add(slot.value, slot.key, slot.place)
    onGiven(slot)
  }

  function take(dim: number, value: number, key: number): boolean {
    const list = listOf(dim)
    const known = list.find(value, key)
    if (known === null) give({ dim, value, key, place: list.last + 1 })
    return known ?? true
  }

  return {
    load(dims, places) {
      for (const dim of dims) lists.delete(dim)
      for (const dim of dims) listOf(dim)
      for (const { dim, value, key, place } of places) listOf(dim).add(value, key, place)
    },
    find: (dim, value, key) => lists.get(dim)?.find(value, key) ?? null,
    take,
    reserve(names) {
      for (const name of names) take(NAMES, name, EVERYONE)
    },
    reserveFacts(names) {
      for (const value of names) {
        const isKnown = listOf(NAMES).find(value, EVERYONE) === true
        if (!isKnown) give({ dim: NAMES, value, key: EVERYONE, place: 0 })
      }
    },
  }
}

/** The places of one dimension. */
class SlotList {
  readonly #limits: SlotLimits
  readonly #places = new Map<number, number>()
  /** By key: how many it brought, and the last of them. */
  readonly #brought = new Map<number, { count: number; last: number }>()
  #count = 0
  /** The last that a key brought. */
  #lastBrought = 0
  /** While no key has used up its share, and not all are given: nothing is refused. */
  #isOpen = true
  last = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  find(value: number, key: number): boolean | null {
    const place = this.#places.get(value)
    if (this.#isOpen || key === EVERYONE) return place === undefined ? null : true
    const end = this.#endOf(key)
    if (place !== undefined) return place <= end
    return end === Infinity ? null : false
  }

  add(value: number, key: number, place: number): void {
    this.#places.set(value, place)
    this.last = Math.max(this.last, place)
    if (key === EVERYONE) return
    const brought = this.#brought.get(key) ?? { count: 0, last: 0 }
    brought.count += 1
    brought.last = Math.max(brought.last, place)
    this.#brought.set(key, brought)
    this.#count += 1
    this.#lastBrought = Math.max(this.#lastBrought, place)
    const { share, total } = this.#limits
    if (brought.count >= share || this.#count >= total) this.#isOpen = false
  }

  /** The last place that this key's calls may have: later ones came after it was refused. */
  #endOf(key: number): number {
    const brought = this.#brought.get(key)
    if (brought !== undefined && brought.count >= this.#limits.share) return brought.last
    return this.#count >= this.#limits.total ? this.#lastBrought : Infinity
  }
}
