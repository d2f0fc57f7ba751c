// The columns of focus.csv (FOCUS 1.2, https://focus.finops.org/focus-specification/v1-2): its own
// by name, then ours (x_). Must stay true: a column means what the specification says, which is
// checked row by row in test/exports/.

import type { CsvColumn, CsvKind } from './csv.ts'

const KINDS = {
  BilledCost: 'plain',
  BillingAccountId: 'text',
  BillingAccountName: 'text',
  BillingAccountType: 'text',
  BillingCurrency: 'text',
  BillingPeriodEnd: 'plain',
  BillingPeriodStart: 'plain',
  ChargeCategory: 'text',
  ChargeClass: 'text',
  ChargeDescription: 'text',
  ChargeFrequency: 'text',
  ChargePeriodEnd: 'plain',
  ChargePeriodStart: 'plain',
  ConsumedQuantity: 'plain',
  ConsumedUnit: 'text',
  ContractedCost: 'plain',
  ContractedUnitPrice: 'plain',
  EffectiveCost: 'plain',
  InvoiceIssuerName: 'text',
  ListCost: 'plain',
  ListUnitPrice: 'plain',
  PricingCategory: 'text',
  PricingCurrency: 'text',
  PricingQuantity: 'plain',
  PricingUnit: 'text',
  ProviderName: 'text',
  PublisherName: 'text',
  RegionId: 'text',
  RegionName: 'text',
  ResourceId: 'text',
  ResourceName: 'text',
  ResourceType: 'text',
  ServiceCategory: 'text',
  ServiceName: 'text',
  ServiceSubcategory: 'text',
  SkuId: 'text',
  SkuMeter: 'text',
  SkuPriceDetails: 'json',
  SkuPriceId: 'text',
  SubAccountId: 'text',
  SubAccountName: 'text',
  SubAccountType: 'text',
  Tags: 'json',
  x_CacheReadTokens: 'plain',
  x_CacheWrite1hTokens: 'plain',
  x_CacheWrite5mTokens: 'plain',
  x_CostSource: 'text',
  x_GenerationId: 'text',
  x_InputTokens: 'plain',
  x_MarketCost: 'plain',
  x_Model: 'text',
  x_Operation: 'text',
  x_OutputTokens: 'plain',
  x_PriceVersion: 'text',
  x_ReasoningTokens: 'plain',
  x_RequestId: 'text',
  x_RequestedModel: 'text',
  x_Status: 'text',
  x_UsageKnowledge: 'text',
} as const satisfies Readonly<Record<string, CsvKind>>

export type FocusColumnName = keyof typeof KINDS

export interface FocusColumn extends CsvColumn {
  readonly name: FocusColumnName
}

export const FOCUS_COLUMNS = Object.entries(KINDS).map(([name, kind]) => ({
  name,
  kind,
})) as readonly FocusColumn[]

/**
 * Known of single calls alone. The two unit prices are conditional in FOCUS: the calls of a day are
 * charged by many rates, and an average is no price.
 */
const OF_ONE_CALL: readonly FocusColumnName[] = [
  'ContractedUnitPrice',
  'ListUnitPrice',
  'x_GenerationId',
  'x_Operation',
  'x_PriceVersion',
  'x_RequestId',
  'x_RequestedModel',
  'x_Status',
  'x_UsageKnowledge',
]

/** Of a file with daily sums. */
export const FOCUS_DAILY_COLUMNS: readonly FocusColumn[] = FOCUS_COLUMNS.filter(
  ({ name }) => !OF_ONE_CALL.includes(name),
)
