// Prices, rules and repricings in JSON, for the API and the command line.

import type {
  MissingPriceAnswer,
  PriceDataAnswer,
  PriceDifference,
  PriceRuleAnswer,
  RateAnswer,
  RepriceAnswer,
  RepricingRow,
} from '../contract.ts'
import { formatMoney } from '../../core/money.ts'
import type { PriceRule, RuleRate, RuleRates } from '../../core/price-rule.ts'
import type { RepriceResult } from '../../ledger/past-calls/reprice.ts'
import type { DiffSum } from '../../ledger/past-calls/reprice-diff.ts'
import type { PriceHours } from '../../pricing/tables/price-table.ts'
import { tokenUnitOf } from '../../pricing/tables/rate-text.ts'
import type { SourceDifference } from '../../pricing/tables/source-differences.ts'
import { describeReason } from '../../pricing/tables/unpriced-reason.ts'
import type { LastUpdate, PriceData } from '../../pricing/service/price-list.ts'
import type { MissingPrice } from '../../pricing/service/price-missing.ts'
import type { Repricing } from '../../store/usage/usage-upkeep.ts'
import { toIso, toIsoOrNull } from '../iso-time.ts'

const MS_PER_MINUTE = 60_000

export type RuleOrigin = PriceRuleAnswer['origin']

export function toRuleAnswer(rule: PriceRule, origin: RuleOrigin): PriceRuleAnswer {
  const { price } = rule
  return {
    id: rule.id,
    provider: rule.provider,
    model: rule.model,
    tier: rule.tier,
    effective_from: toIso(rule.effectiveFrom),
    rates:
      price.kind === 'rates'
        ? Object.fromEntries(
            Object.entries(price.rates).map(([unit, rate]) => [unit, copyRate(rate)]),
          )
        : null,
    multiplier: price.kind === 'multiplier' ? price.factor : null,
    note: rule.note,
    origin,
    // A rule of the file has no date of its own.
    created_at: origin === 'file' ? null : toIso(rule.createdAt),
  }
}

function copyRate(rate: RuleRate): NonNullable<PriceRuleAnswer['rates']>[string] {
  return typeof rate === 'string' ? rate : { base: rate.base, steps: [...rate.steps] }
}

export function toPriceDataAnswer(data: PriceData): PriceDataAnswer {
  return {
    version: data.version,
    published_at: toIso(data.publishedAt),
    age_days: data.ageDays,
    is_old: data.isOld,
    imported_at: toIsoOrNull(data.importedAt),
    imported_by: data.importedBy,
    is_import_outdated: data.isImportOutdated,
    last_update: data.lastUpdate && toLastUpdate(data.lastUpdate),
  }
}

function toLastUpdate({ atMs, result, words }: LastUpdate) {
  return { at: toIso(atMs), result, words }
}

export function toRateAnswers(rates: RuleRates): RateAnswer[] {
  return Object.entries(rates).map(([unit, rate]) => {
    const { base, steps } = typeof rate === 'string' ? { base: rate, steps: [] } : rate
    return {
      unit,
      per: tokenUnitOf(unit) === undefined ? 1 : 1_000_000,
      rate_usd: base,
      steps: steps.map((step) => ({ above_input_tokens: step.above, rate_usd: step.rate })),
    }
  })
}

export function toDifferenceAnswer({ source, rates, listed }: SourceDifference): PriceDifference {
  return { source, rates: toRateAnswers(rates), listed_rates: toRateAnswers(listed) }
}

/** `16:30-00:30`. */
export function formatHours({ startMs, endMs }: PriceHours): string {
  const time = (ms: number): string => {
    const minutes = Math.floor(ms / MS_PER_MINUTE)
    const parts = [Math.floor(minutes / 60), minutes % 60]
    return parts.map((part) => String(part).padStart(2, '0')).join(':')
  }
  return `${time(startMs)}-${time(endMs)}`
}

export function toMissingAnswer(missing: MissingPrice): MissingPriceAnswer {
  const { provider, model, requests, tokens, wants, units } = missing
  return {
    provider,
    model,
    requests,
    tokens,
    is_partial: missing.isPartial,
    wants,
    units: [...units],
    first_month: missing.firstMonth,
    last_month: missing.lastMonth,
  }
}

export function toRepriceAnswer({ diff, meant, repricing }: RepriceResult): RepriceAnswer {
  return {
    applied: repricing !== null,
    checked: meant,
    repricing: repricing && toRepricingAnswer(repricing),
    ...toSumAnswer(diff.total),
    by_key: diff.byKey.map(({ keyId, ...sum }) => ({ api_key: keyId, ...toSumAnswer(sum) })),
    by_model: diff.byModel.map(({ provider, model, ...sum }) => ({
      provider,
      model,
      ...toSumAnswer(sum),
    })),
    unpriced: diff.unpriced.map(({ provider, model, reason, calls }) => ({
      provider,
      model,
      reason: describeReason(reason),
      calls,
    })),
    kept: diff.kept,
  }
}

export function toRepricingAnswer(repricing: Repricing): RepricingRow {
  const { id, at, who, what, records, before, after, months } = repricing
  const isWithoutMonths = months.length === 0 && records > 0
  return {
    id,
    at: toIso(at),
    who,
    what,
    ...toSumAnswer({ calls: records, before, after }),
    months: isWithoutMonths
      ? null
      : months.map(({ month, records: calls, ...sum }) => ({
          month,
          ...toSumAnswer({ calls, ...sum }),
        })),
  }
}

interface SumAnswer {
  readonly calls: number
  readonly before_usd: string
  readonly after_usd: string
  readonly difference_usd: string
}

export function toSumAnswer({ calls, before, after }: DiffSum): SumAnswer {
  return {
    calls,
    before_usd: formatMoney(before),
    after_usd: formatMoney(after),
    difference_usd: formatMoney(after - before),
  }
}
