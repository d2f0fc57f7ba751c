// The generations behind one answer of Vercel's AI Gateway: a retry or a further step can be billed
// too. Must stay true: costs are added over generations, each counted once even if repeated.

import type { Money } from '../../../core/money.ts'
import type { ReportedBilling } from '../../../core/usage-event.ts'
import { GatewayGeneration } from './gateway-generation.ts'

/** No answer has been seen to need more than a few. */
export const GENERATIONS_MAX = 64

const UNNAMED = ''

export class GatewayGenerations {
  // Nearly every answer has one id: a short list is faster than a map or a set.
  readonly #ids: string[] = []
  readonly #found: GatewayGeneration[] = []
  #lastId = UNNAMED

  /** Without an id: the last one named. What came before any id belongs to the first one named. */
  find(id: string | null): GatewayGeneration {
    const key = id ?? this.#lastId
    const at = this.#ids.indexOf(key)
    if (at !== -1) {
      this.#lastId = key
      return this.#found[at] as GatewayGeneration
    }
    const unnamed = this.#ids.indexOf(UNNAMED)
    if (unnamed !== -1) {
      this.#ids[unnamed] = key
      this.#lastId = key
      return this.#found[unnamed] as GatewayGeneration
    }
    // Beyond the limit they share one place: too little is counted rather than anything twice.
    if (this.#ids.length >= GENERATIONS_MAX) return this.find(null)
    const generation = new GatewayGeneration()
    this.#ids.push(key)
    this.#found.push(generation)
    this.#lastId = key
    return generation
  }

  /** From here on that id means this generation, whose figures cover what the id stood for. */
  join(id: string, generation: GatewayGeneration): void {
    const at = this.#ids.indexOf(id)
    if (at !== -1) {
      this.#found[at] = generation
    } else if (this.#ids.length < GENERATIONS_MAX) {
      this.#ids.push(id)
      this.#found.push(generation)
    }
  }

  get webSearches(): number {
    return this.#distinct().reduce((sum, generation) => sum + generation.webSearches, 0)
  }

  /** Null where nothing was reported of money; the caller adds the generation's id. */
  billing(): Omit<ReportedBilling, 'generationId'> {
    const generations = this.#distinct()
    const [first] = generations
    if (first !== undefined && generations.length === 1) {
      return { cost: first.cost, marketCost: first.marketCost, isByok: first.isByok }
    }
    return {
      cost: sum(generations.map((generation) => generation.cost)),
      marketCost: sum(generations.map((generation) => generation.marketCost)),
      isByok: allOf(generations.map((generation) => generation.isByok)),
    }
  }

  #distinct(): readonly GatewayGeneration[] {
    return this.#found.length < 2 ? this.#found : [...new Set(this.#found)]
  }
}

function sum(amounts: readonly (Money | null)[]): Money | null {
  const known = amounts.filter((amount) => amount !== null)
  return known.length === 0 ? null : known.reduce((total, amount) => total + amount, 0n)
}

/** One generation on the gateway's own key is enough: its charge must not be counted as nothing. */
function allOf(flags: readonly (boolean | null)[]): boolean | null {
  const known = flags.filter((flag) => flag !== null)
  return known.length === 0 ? null : known.every(Boolean)
}
