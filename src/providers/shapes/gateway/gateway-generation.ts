// What Vercel's AI Gateway says about one generation. The same figure stands in the usage object,
// as a number, and in the metadata, as a decimal string. Must stay true: an absent figure is not
// zero, a zero is a real price, and a stream's later figure replaces the earlier one.

import type { Money } from '../../../core/money.ts'
import { toChargedAmount } from '../charged-amount.ts'
import type { JsonObject } from '../json-leaves.ts'
import { toCount, toList, toName, toObject } from '../json-leaves.ts'

export class GatewayGeneration {
  // In each pair the usage object's word goes before that of the metadata.
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

  /** The debit with surcharges is the answer only where the charge itself is not reported. */
  get cost(): Money | null {
    return this.#usageCost ?? this.#cost ?? this.#usageGatewayCost ?? this.#gatewayCost
  }

  get marketCost(): Money | null {
    return this.#usageMarketCost ?? this.#marketCost
  }

  /**
   * Either word for it is enough: a gateway that says nothing in `usage` still shows its attempts.
   */
  get isByok(): boolean | null {
    // Where the two words for it differ and something was charged, it was the gateway's key: a
    // charge is never hidden.
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

/**
 * The root of an answer repeats the model that was asked for; only the routing reports which ran.
 */
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
