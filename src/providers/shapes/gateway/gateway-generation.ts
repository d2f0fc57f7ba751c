// One generation of Vercel's AI Gateway, from usage (numbers) and metadata (decimal strings). Must
// stay true: absent is not zero, zero is a real price, and a later figure replaces the earlier.

import type { Money } from '../../../core/money.ts'
import { toChargedAmount } from '../charged-amount.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toCount, toList, toName, toObject } from '../json-leaves.ts'

export class GatewayGeneration {
  // In each pair, the usage object goes before the metadata.
  #usageCost: Money | null = null
  #cost: Money | null = null
  #usageGatewayCost: Money | null = null
  #gatewayCost: Money | null = null
  #usageMarketCost: Money | null = null
  #marketCost: Money | null = null

  #isByok: boolean | null = null
  #credentialType: string | null = null
  #webSearches: number | null = null

  readUsage(usage: JsonObject): void {
    const isByok = usage['is_byok']
    if (typeof isByok === 'boolean') this.#isByok = isByok
    this.#usageCost = toChargedAmount(usage['cost']) ?? this.#usageCost
    this.#usageMarketCost = toChargedAmount(usage['market_cost']) ?? this.#usageMarketCost
    this.#usageGatewayCost = toChargedAmount(usage['gateway_cost']) ?? this.#usageGatewayCost
  }

  readMetadata(gateway: JsonObject): void {
    this.#cost = toChargedAmount(gateway['cost']) ?? this.#cost
    this.#marketCost =
      toChargedAmount(gateway['marketCost']) ??
      toChargedAmount(gateway['market_cost']) ??
      this.#marketCost
    this.#gatewayCost =
      toChargedAmount(gateway['gatewayCost']) ??
      toChargedAmount(gateway['gateway_cost']) ??
      this.#gatewayCost
    this.#webSearches = toCount(gateway['billableWebSearchCalls']) ?? this.#webSearches
    const routing = toObject(gateway['routing'])
    if (routing === null) return
    this.#credentialType = servedCredentialType(routing) ?? this.#credentialType
  }

  /** The debit with surcharges is used only where the charge itself is not reported. */
  get cost(): Money | null {
    return this.#usageCost ?? this.#cost ?? this.#usageGatewayCost ?? this.#gatewayCost
  }

  get marketCost(): Money | null {
    return this.#usageMarketCost ?? this.#marketCost
  }

  /** Either source is enough: a gateway with nothing in `usage` still shows its attempts. */
  get isByok(): boolean | null {
    // If the two differ and something was charged, it was the gateway's key: no charge is hidden.
    const isDenied = this.#credentialType === 'system' || this.#isByok === false
    if (isDenied && (this.cost ?? 0n) > 0n) return false
    if (this.#isByok === true || this.#credentialType === 'byok') return true
    return this.#isByok === false || this.#credentialType !== null ? false : null
  }

  get webSearches(): number {
    return this.#webSearches ?? 0
  }
}

export function hasMoney(usage: JsonObject): boolean {
  const isAmount = (figure: unknown): boolean => toChargedAmount(figure) !== null
  return (
    isAmount(usage['cost']) || isAmount(usage['market_cost']) || isAmount(usage['gateway_cost'])
  )
}

/** An answer's root repeats the requested model; only the routing reports which one ran. */
export function servedModel(gateway: JsonObject): string | null {
  const routing = toObject(gateway['routing'])
  const served = findSuccess(routing?.['modelAttempts'])
  return toName(served?.['canonicalSlug']) ?? toName(routing?.['canonicalSlug'])
}

function servedCredentialType(routing: JsonObject): string | null {
  const served = findSuccess(routing['modelAttempts'])
  const lists = [served?.['providerAttempts'], routing['providerAttempts'], routing['attempts']]
  const attempt = lists.map(findSuccess).find((found) => found !== null)
  return toName(attempt?.['credentialType'])
}

function findSuccess(attempts: unknown): JsonObject | null {
  const found = toList(attempts).findLast((attempt) => toObject(attempt)?.['success'] === true)
  return toObject(found)
}
