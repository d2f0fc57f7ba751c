// The columns of focus.csv (FOCUS 1.2, https://focus.finops.org/focus-specification/v1-2): its own
// by name, then ours (x_). Must stay true: a column means what the specification says.

import type { CsvColumn, CsvKind } from './csv.ts'

export type FocusType = 'String' | 'Decimal' | 'DateTime' | 'JSON'

export interface FocusColumn extends CsvColumn {
  readonly type: FocusType
  /** For usage rows that are not corrections; Weir writes no others. */
  readonly allowsNull: boolean
  /** By the specification, whether Weir uses it or not. */
  readonly allowed?: readonly string[]
}

const KINDS: Readonly<Record<FocusType, CsvKind>> = {
  String: 'text',
  Decimal: 'plain',
  DateTime: 'plain',
  JSON: 'json',
}

interface Rules {
  readonly allowsNull?: boolean
  readonly allowed?: readonly string[]
}

function column<Name extends string>(name: Name, type: FocusType, rules: Rules = {}) {
  const { allowsNull = false, allowed } = rules
  const plain = { name, type, kind: KINDS[type], allowsNull }
  return allowed === undefined ? plain : { ...plain, allowed }
}

const CHARGE_CATEGORIES = ['Usage', 'Purchase', 'Tax', 'Credit', 'Adjustment']
const CHARGE_FREQUENCIES = ['One-Time', 'Recurring', 'Usage-Based']
const PRICING_CATEGORIES = ['Standard', 'Committed', 'Dynamic', 'Other']
const SUBCATEGORIES = [
  'AI Platforms',
  'Bots',
  'Generative AI',
  'Machine Learning',
  'Natural Language Processing',
  'Other (AI and Machine Learning)',
]

const nullable: Rules = { allowsNull: true }

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

export const FOCUS_COLUMNS = [
  column('BilledCost', 'Decimal'),
  column('BillingAccountId', 'String'),
  column('BillingAccountName', 'String'),
  column('BillingAccountType', 'String'),
  column('BillingCurrency', 'String', { allowed: ['USD'] }),
  column('BillingPeriodEnd', 'DateTime'),
  column('BillingPeriodStart', 'DateTime'),
  column('ChargeCategory', 'String', { allowed: CHARGE_CATEGORIES }),
  column('ChargeClass', 'String', { allowsNull: true, allowed: ['Correction'] }),
  column('ChargeDescription', 'String'),
  column('ChargeFrequency', 'String', { allowed: CHARGE_FREQUENCIES }),
  column('ChargePeriodEnd', 'DateTime'),
  column('ChargePeriodStart', 'DateTime'),
  column('ConsumedQuantity', 'Decimal'),
  column('ConsumedUnit', 'String', { allowed: ['Tokens', 'Requests'] }),
  column('ContractedCost', 'Decimal'),
  column('ContractedUnitPrice', 'Decimal'),
  column('EffectiveCost', 'Decimal'),
  column('InvoiceIssuerName', 'String'),
  column('ListCost', 'Decimal'),
  column('ListUnitPrice', 'Decimal'),
  column('PricingCategory', 'String', { allowed: PRICING_CATEGORIES }),
  column('PricingCurrency', 'String', { allowed: ['USD'] }),
  column('PricingQuantity', 'Decimal'),
  column('PricingUnit', 'String', { allowed: ['Requests'] }),
  column('ProviderName', 'String'),
  column('PublisherName', 'String'),
  column('RegionId', 'String', nullable),
  column('RegionName', 'String', nullable),
  column('ResourceId', 'String', nullable),
  column('ResourceName', 'String', nullable),
  column('ResourceType', 'String', nullable),
  column('ServiceCategory', 'String', { allowed: ['AI and Machine Learning'] }),
  column('ServiceName', 'String'),
  column('ServiceSubcategory', 'String', { allowed: SUBCATEGORIES }),
  column('SkuId', 'String'),
  column('SkuMeter', 'String'),
  column('SkuPriceDetails', 'JSON', nullable),
  column('SkuPriceId', 'String'),
  column('SubAccountId', 'String', nullable),
  column('SubAccountName', 'String', nullable),
  column('SubAccountType', 'String', nullable),
  column('Tags', 'JSON', nullable),
  column('x_CacheReadTokens', 'Decimal', nullable),
  column('x_CacheWrite1hTokens', 'Decimal', nullable),
  column('x_CacheWrite5mTokens', 'Decimal', nullable),
  column('x_CostSource', 'String'),
  column('x_GenerationId', 'String', nullable),
  column('x_InputTokens', 'Decimal', nullable),
  column('x_MarketCost', 'Decimal', nullable),
  column('x_Model', 'String', nullable),
  column('x_Operation', 'String', nullable),
  column('x_OutputTokens', 'Decimal', nullable),
  column('x_PriceVersion', 'String', nullable),
  column('x_ReasoningTokens', 'Decimal', nullable),
  column('x_RequestId', 'String'),
  column('x_RequestedModel', 'String', nullable),
  column('x_Status', 'String'),
  column('x_UsageKnowledge', 'String'),
] as const satisfies readonly FocusColumn[]

export type FocusColumnName = (typeof FOCUS_COLUMNS)[number]['name']

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
