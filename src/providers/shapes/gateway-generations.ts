// The generations behind one answer of Vercel's AI Gateway: a retry or a further step can be billed
// beside the one that answered. Must stay true: costs are added over generations, each counted once
// however often a stream repeats it.

import type { Money } from '../../core/money.ts'
import type { ReportedBilling } from '../../core/usage-event.ts'
import { GatewayGeneration } from './gateway-generation.ts'

/** Nobody has been seen to need more than a few. */
export const GENERATIONS_MAX = 64

const UNNAMED = ''

export class GatewayGenerations {
  readonly #byId = new Map<string, GatewayGeneration>()
  #lastId = UNNAMED

  /** Without an id, the last that was named. What came before any name belongs to the first named. */
  find(id: string | null): GatewayGeneration {
    const key = id ?? this.#lastId
    const known = this.#byId.get(key)
    if (known !== undefined) {
      this.#lastId = key
      return known
    }
    // Beyond the limit they share one place: too little is counted rather than something twice.
    if (this.#byId.size >= GENERATIONS_MAX) return this.find(null)
    const generation = this.#byId.get(UNNAMED) ?? new GatewayGeneration()
    this.#byId.delete(UNNAMED)
    this.#byId.set(key, generation)
    this.#lastId = key
    return generation
  }

  /** From here on that id means this generation: its figures cover what the id stood for. */
  join(id: string, generation: GatewayGeneration): void {
    if (this.#byId.has(id) || this.#byId.size < GENERATIONS_MAX) this.#byId.set(id, generation)
  }

  get webSearches(): number {
    return this.#distinct().reduce((sum, generation) => sum + generation.webSearches, 0)
  }

  /** Null where nothing was said of money; the generation's id is the caller's to add. */
  billing(): Omit<ReportedBilling, 'generationId'> {
    const generations = this.#distinct()
    return {
      cost: sum(generations.map((generation) => generation.cost)),
      marketCost: sum(generations.map((generation) => generation.marketCost)),
      isByok: allOf(generations.map((generation) => generation.isByok)),
    }
  }

  #distinct(): readonly GatewayGeneration[] {
    return [...new Set(this.#byId.values())]
  }
}

function sum(amounts: readonly (Money | null)[]): Money | null {
  const told = amounts.filter((amount) => amount !== null)
  return told.length === 0 ? null : told.reduce((total, amount) => total + amount, 0n)
}

/** One generation on the gateway's own key is enough: what it charged must not pass for nothing. */
function allOf(flags: readonly (boolean | null)[]): boolean | null {
  const told = flags.filter((flag) => flag !== null)
  return told.length === 0 ? null : told.every(Boolean)
}
