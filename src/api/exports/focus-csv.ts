// A record as a row of focus.csv; docs/exports.md explains the columns. Must stay true: BilledCost
// sums to GET /v1/usage; an unknown cost is 0 only where null is forbidden, and x_CostSource says
// so.

import { formatMoney } from '../../core/money.ts'
import type { Money } from '../../core/money.ts'
import { splitFacts } from '../../core/teams/team.ts'
import { totalTokens } from '../../core/token-counts.ts'
import type { UsageEvent } from '../../core/usage-event.ts'
import type { UsageRecord } from '../../core/usage-record.ts'
import { nameOf } from '../known-names.ts'
import type { KnownNames } from '../known-names.ts'
import type { CsvValue } from './csv.ts'
import type { FocusColumnName } from './focus-columns.ts'
import type { ExportContext } from './export-context.ts'
import type { MonthRange } from './month-records.ts'

export type FocusRow = Readonly<Record<FocusColumnName, CsvValue>>

// Rates differ by kind of token, so the only unit with an exact price is the request.
const PRICING = { PricingQuantity: 1, PricingUnit: 'Requests', PricingCurrency: 'USD' } as const

/** Null for denied calls: they are not charged. */
export function toFocusRow(record: UsageRecord, context: ExportContext): FocusRow | null {
  const { event } = record
  if (event.status === 'denied') return null
  return {
    ...toAccount(event, context.keys),
    ...toCharge(record, context.month),
    ...toCosts(record),
    ...toProduct(event),
    Tags: toTags(event, context.names),
    ...toOwnColumns(record),
  }
}

function toAccount({ provider, keyId }: UsageEvent, keys: ExportContext['keys']) {
  return {
    // Weir does not know the account at the provider, so there is one per provider.
    BillingAccountId: provider,
    BillingAccountName: provider,
    BillingAccountType: 'Provider',
    InvoiceIssuerName: provider,
    ProviderName: provider,
    PublisherName: provider,
    SubAccountId: keyId,
    // Never null beside an id: a key that is gone, or whose name is hidden, goes by its id.
    SubAccountName: keyId === null ? null : (keys.get(keyId)?.name ?? keyId),
    SubAccountType: keyId === null ? null : 'API Key',
  }
}

function toCharge({ event, cost }: UsageRecord, { fromMs, toMs }: MonthRange) {
  const tokens = event.tokens === null ? 0 : totalTokens(event.tokens)
  const what = [event.model ?? 'no model', event.operation ?? 'unknown operation']
  if (tokens > 0) what.push(`${tokens} tokens`)
  if (cost.source === 'unpriced') what.push('cost not known')
  return {
    BillingPeriodStart: toSecond(fromMs),
    BillingPeriodEnd: toSecond(toMs),
    ChargeCategory: 'Usage',
    ChargeClass: null,
    ChargeDescription: what.join(', '),
    ChargeFrequency: 'Usage-Based',
    // Whole seconds, as specified; the end is exclusive. The clock may have been set back.
    ChargePeriodStart: toSecond(Math.min(event.startedAt, event.endedAt)),
    ChargePeriodEnd: toSecond(event.endedAt + 1000),
    // Must be above 0: a call without known tokens is still one request.
    ConsumedQuantity: tokens > 0 ? tokens : 1,
    ConsumedUnit: tokens > 0 ? 'Tokens' : 'Requests',
  }
}

function toCosts(record: UsageRecord) {
  const { cost } = record
  const billed = formatMoney(cost.amount ?? 0n)
  const list = formatMoney(toListCost(record))
  return {
    ...PRICING,
    BillingCurrency: 'USD',
    BilledCost: billed,
    EffectiveCost: billed,
    ContractedCost: billed,
    ContractedUnitPrice: billed,
    ListCost: list,
    ListUnitPrice: list,
    PricingCategory: cost.source === 'unpriced' ? 'Other' : 'Standard',
  }
}

/** The list-price value where the provider stated it. */
export function toListCost({ event, cost }: UsageRecord): Money {
  return event.billing?.marketCost ?? cost.amount ?? 0n
}

function toProduct({ provider, model, serviceTier, region }: UsageEvent) {
  const sku = model === null ? provider : `${provider}/${model}`
  return {
    ServiceCategory: 'AI and Machine Learning',
    ServiceSubcategory: 'Generative AI',
    ServiceName: provider,
    // Weir knows the provider's word for it, and no other name.
    RegionId: region ?? null,
    RegionName: region ?? null,
    ResourceId: model,
    ResourceName: model,
    ResourceType: model === null ? null : 'Model',
    SkuId: sku,
    SkuMeter: 'Model Usage',
    // The price's version is not part of it: it has its own column.
    SkuPriceId: serviceTier === null ? sku : `${sku}#${serviceTier}`,
    SkuPriceDetails: serviceTier === null ? null : { x_ServiceTier: serviceTier },
  }
}

/** Those that no caller wrote have a prefix, as FOCUS asks for: callers may have a tag `team`. */
function toTags(event: UsageEvent, names: KnownNames): Readonly<Record<string, string>> | null {
  const { teamId, personId, tool, repository, dims } = splitFacts(event.dims)
  const [team, person] = [nameOf(teamId, names), nameOf(personId, names)]
  const tags = {
    ...dims,
    ...(team !== null && { 'weir:team': team }),
    ...(person !== null && { 'weir:person': person }),
    ...(tool !== null && { 'weir:tool': tool }),
    ...(repository !== null && { 'weir:repository': repository }),
  }
  return Object.keys(tags).length === 0 ? null : tags
}

function toOwnColumns({ event, cost }: UsageRecord) {
  const { tokens, billing } = event
  const marketCost = billing?.marketCost ?? null
  return {
    x_CacheReadTokens: tokens?.cacheRead ?? null,
    x_CacheWrite1hTokens: tokens?.cacheWrite1h ?? null,
    x_CacheWrite5mTokens: tokens?.cacheWrite5m ?? null,
    x_CostSource: cost.source,
    x_GenerationId: billing?.generationId ?? null,
    x_InputTokens: tokens?.input ?? null,
    x_MarketCost: marketCost === null ? null : formatMoney(marketCost),
    x_Model: event.model,
    x_Operation: event.operation,
    x_OutputTokens: tokens?.output ?? null,
    x_PriceVersion: cost.priceVersion,
    x_ReasoningTokens: tokens?.reasoning ?? null,
    x_RequestId: event.id,
    x_RequestedModel: event.requestedModel,
    x_Status: event.status,
    x_UsageKnowledge: event.usage,
  }
}

/** `2026-10-31T23:59:59Z`, truncated. */
export function toSecond(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`
}
