// What Vercel's AI Gateway adds to any shape: what it charged, the list price, whose provider key
// served, which model ran in the end. Must stay true: an absent figure is not zero, a zero is a real
// price, and the same figure is accepted as number or decimal string in each of its places.

import { parseMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import type { ReportedBilling } from '../../core/usage-event.ts'
import type { JsonObject } from './json-leaves.ts'
import { toCount, toList, toName, toObject } from './json-leaves.ts'
import type { AdditionReader, AdditionReading, ShapeAddition } from './shape-addition.ts'

const GENERATION_ID_PREFIX = 'gen_'
const METADATA = { provider_metadata: true, providerMetadata: true } as const

export const gatewayMetadata: ShapeAddition = {
  needles: ['"gateway"', 'cost"', '"is_byok"', '"generationId"'],
  members: {
    ...METADATA,
    id: true,
    generationId: true,
    response: METADATA,
    choices: [{ message: METADATA, delta: METADATA }],
  },
  createReader: () => new MetadataReader(),
}

class MetadataReader implements AdditionReader {
  // In each pair the usage object's word goes before that of the metadata.
  #usageCost: Money | null = null
  #cost: Money | null = null
  #usageGatewayCost: Money | null = null
  #gatewayCost: Money | null = null
  #usageMarketCost: Money | null = null
  #marketCost: Money | null = null

  #isByok: boolean | null = null
  #credentialType: string | null = null
  #rootGenerationId: string | null = null
  #rootId: string | null = null
  #generationId: string | null = null
  #model: string | null = null
  #webSearches: number | null = null

  read(document: JsonObject): void {
    const id = toName(document['id'])
    this.#rootGenerationId = toName(document['generationId']) ?? this.#rootGenerationId
    if (id?.startsWith(GENERATION_ID_PREFIX)) this.#rootId = id
    const usage = toObject(document['usage'])
    if (usage !== null) this.#readUsage(usage)
    const gateway = findMetadata(document)
    if (gateway !== null) this.#readGateway(gateway)
  }

  end(): AdditionReading {
    // The debit with surcharges is the answer only where the charge itself is not told.
    const cost = this.#usageCost ?? this.#cost ?? this.#usageGatewayCost ?? this.#gatewayCost
    const billing: ReportedBilling = {
      cost,
      marketCost: this.#usageMarketCost ?? this.#marketCost,
      isByok: this.#resolveByok(cost),
      generationId: this.#rootGenerationId ?? this.#rootId ?? this.#generationId,
    }
    const hasBilling =
      billing.cost !== null ||
      billing.marketCost !== null ||
      billing.isByok !== null ||
      billing.generationId !== null
    return {
      model: this.#model,
      billing: hasBilling ? billing : null,
      toolCalls: this.#webSearches ? { web_search: this.#webSearches } : {},
    }
  }

  #readUsage(usage: JsonObject): void {
    const isByok = usage['is_byok']
    if (typeof isByok === 'boolean') this.#isByok = isByok
    this.#usageCost = toAmount(usage['cost']) ?? this.#usageCost
    this.#usageMarketCost = toAmount(usage['market_cost']) ?? this.#usageMarketCost
    this.#usageGatewayCost = toAmount(usage['gateway_cost']) ?? this.#usageGatewayCost
  }

  #readGateway(gateway: JsonObject): void {
    this.#cost = toAmount(gateway['cost']) ?? this.#cost
    this.#marketCost =
      toAmount(gateway['marketCost']) ?? toAmount(gateway['market_cost']) ?? this.#marketCost
    this.#gatewayCost =
      toAmount(gateway['gatewayCost']) ?? toAmount(gateway['gateway_cost']) ?? this.#gatewayCost
    this.#generationId = toName(gateway['generationId']) ?? this.#generationId
    this.#webSearches = toCount(gateway['billableWebSearchCalls']) ?? this.#webSearches
    const routing = toObject(gateway['routing'])
    if (routing === null) return
    this.#model = servedModel(routing) ?? this.#model
    this.#credentialType = servedCredentialType(routing) ?? this.#credentialType
  }

  /** Either word for it is enough: a gateway that says nothing in `usage` still shows its attempts. */
  #resolveByok(cost: Money | null): boolean | null {
    // Meant for the caller's own key, served and charged with the gateway's: a charge is never hidden.
    if (this.#credentialType === 'system' && cost !== null && cost > 0n) return false
    if (this.#isByok === true || this.#credentialType === 'byok') return true
    return this.#isByok === false || this.#credentialType !== null ? false : null
  }
}

/** Both spellings, at each of the places in which a chat completion has been seen to carry it. */
function findMetadata(document: JsonObject): JsonObject | null {
  const choice = toObject(toList(document['choices'])[0])
  return (
    findGateway(choice?.['message']) ??
    findGateway(choice?.['delta']) ??
    findGateway(document) ??
    findGateway(document['response'])
  )
}

function findGateway(value: unknown): JsonObject | null {
  const holder = toObject(value)
  const metadata = toObject(holder?.['provider_metadata'] ?? holder?.['providerMetadata'])
  return toObject(metadata?.['gateway'])
}

/** A negative charge would hide what others cost; nobody is known to report one. */
function toAmount(value: unknown): Money | null {
  const amount = parseMoney(value)
  return amount !== null && amount >= 0n ? amount : null
}

/** The root of an answer repeats the model that was asked for; only the routing tells which ran. */
function servedModel(routing: JsonObject): string | null {
  const served = findSuccess(routing['modelAttempts'])
  return toName(served?.['canonicalSlug']) ?? toName(routing['canonicalSlug'])
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
