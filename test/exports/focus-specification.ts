// What the FOCUS 1.2 specification says of the columns that Weir writes: which must be there, which
// may be null for usage rows that are not corrections, and what they may contain.

import type { FocusColumn } from '../../src/api/exports/focus-columns.ts'

/** Required of everyone who delivers cost and usage. */
export const FOCUS_MANDATORY: readonly string[] = [
  'BilledCost',
  'BillingAccountId',
  'BillingAccountName',
  'BillingAccountType',
  'BillingCurrency',
  'BillingPeriodEnd',
  'BillingPeriodStart',
  'ChargeCategory',
  'ChargeClass',
  'ChargeDescription',
  'ChargePeriodEnd',
  'ChargePeriodStart',
  'ContractedCost',
  'EffectiveCost',
  'InvoiceIssuerName',
  'ListCost',
  'PricingQuantity',
  'PricingUnit',
  'ProviderName',
  'PublisherName',
  'ServiceCategory',
  'ServiceName',
]

const NULLABLE: ReadonlySet<string> = new Set([
  'ChargeClass',
  'RegionId',
  'RegionName',
  'ResourceId',
  'ResourceName',
  'ResourceType',
  'SkuPriceDetails',
  'SubAccountId',
  'SubAccountName',
  'SubAccountType',
  'Tags',
  'x_CacheReadTokens',
  'x_CacheWrite1hTokens',
  'x_CacheWrite5mTokens',
  'x_GenerationId',
  'x_InputTokens',
  'x_MarketCost',
  'x_Model',
  'x_Operation',
  'x_OutputTokens',
  'x_PriceVersion',
  'x_ReasoningTokens',
  'x_RequestedModel',
])

/** By the specification, whether Weir uses it or not. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  BillingCurrency: ['USD'],
  ChargeCategory: ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment'],
  ChargeClass: ['Correction'],
  ChargeFrequency: ['One-Time', 'Recurring', 'Usage-Based'],
  ConsumedUnit: ['Tokens', 'Requests'],
  PricingCategory: ['Standard', 'Committed', 'Dynamic', 'Other'],
  PricingCurrency: ['USD'],
  PricingUnit: ['Requests'],
  ServiceCategory: ['AI and Machine Learning'],
  ServiceSubcategory: [
    'AI Platforms',
    'Bots',
    'Generative AI',
    'Machine Learning',
    'Natural Language Processing',
    'Other (AI and Machine Learning)',
  ],
}

export interface ColumnRule {
  readonly type: 'String' | 'Decimal' | 'DateTime' | 'JSON'
  readonly allowsNull: boolean
  readonly allowed: readonly string[] | undefined
}

export function findRule({ name, kind }: FocusColumn): ColumnRule {
  return { type: toType(name, kind), allowsNull: NULLABLE.has(name), allowed: ALLOWED[name] }
}

function toType(name: string, kind: FocusColumn['kind']): ColumnRule['type'] {
  if (kind === 'text') return 'String'
  if (kind === 'json') return 'JSON'
  return /Period(?:Start|End)$/.test(name) ? 'DateTime' : 'Decimal'
}
