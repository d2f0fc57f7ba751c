// All listed prices as one file in our own format, to look through, change, or take offline. Must
// stay true: imported again, it gives the same price for every model at every moment.

import type { MatchLogic } from './model-price.ts'
import { BUNDLE_PUBLISHED_AT, BUNDLE_VERSION } from './bundle.ts'
import { readBundledSources } from './bundled-prices.ts'
import { CORRECTIONS_VERSION } from './corrections.ts'
import type { ModelSource, ModelSources, SourceVersion } from '../tables/model-source.ts'
import type { FileLayer, PriceFile } from './price-file.ts'
import { FILE_FORMAT } from './price-file-schema.ts'
import type { FilePrice } from './price-file-schema.ts'
import { STANDARD_TIER } from '../tables/price-table.ts'
import type { PriceHours, Rates } from '../tables/price-table.ts'
import { toRuleRates } from '../tables/rate-text.ts'

/** Without the operator's rules; with the imported data, if any. */
export function exportPrices(imported: PriceFile | null = null): string {
  const [corrections, bundle] = readBundledSources()
  const against = [...corrections.values()].flat().map(toAgainstMs)
  const publishedAt = Math.max(BUNDLE_PUBLISHED_AT, imported?.publishedAt ?? 0, ...against)
  const layers: readonly FileLayer[] = [
    { sources: corrections, publishedAt: BUNDLE_PUBLISHED_AT },
    ...(imported?.layers ?? []),
    { sources: bundle, publishedAt: BUNDLE_PUBLISHED_AT },
  ]
  const versions = [BUNDLE_VERSION, CORRECTIONS_VERSION, ...(imported === null ? [] : ['imported'])]
  const head = {
    format: FILE_FORMAT,
    version: versions.join('+'),
    published_at: new Date(publishedAt).toISOString(),
    layers: layers.map((layer) => {
      return new Date(layer.publishedAt ?? imported?.publishedAt ?? publishedAt).toISOString()
    }),
  }
  const models = layers.flatMap(({ sources }, layer) => toFileModels(sources, layer))
  // One model per line: the file is long, and gets compared with others.
  const lines = models.map((model) => `    ${JSON.stringify(model)}`).join(',\n')
  const members = Object.entries(head).map(([key, value]) => `  "${key}": ${JSON.stringify(value)}`)
  return `{\n${[...members, `  "models": [\n${lines}\n  ]`].join(',\n')}\n}\n`
}

function toFileModels(sources: ModelSources, layer: number): readonly object[] {
  return [...sources].flatMap(([provider, models]) =>
    models.map((model) => ({
      provider,
      id: model.id,
      ...toNames(model),
      ...(layer === 0 ? {} : { layer }),
      ...(model.against === undefined ? {} : { against: toDay(model.against) }),
      prices: model.readVersions().flatMap(toFilePrices),
    })),
  )
}

/** The start of the day. */
function toAgainstMs({ against }: ModelSource): number {
  return against === undefined ? 0 : Date.parse(toDay(against))
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function toNames({ match }: ModelSource): { names: readonly string[] } | { match: MatchLogic } {
  if ('equals' in match) return { names: [match.equals] }
  const parts = 'or' in match ? match.or : []
  const names = parts.flatMap((part) => ('equals' in part ? [part.equals] : []))
  return names.length > 0 && names.length === parts.length ? { names } : { match }
}

function toFilePrices({ fromMs, hours, tiers }: SourceVersion): readonly FilePrice[] {
  return [...tiers].map(([tier, rates]) => ({
    ...(Number.isFinite(fromMs) ? { from: toDay(fromMs) } : {}),
    ...(hours === null ? {} : { hours: toTimes(hours) }),
    ...(tier === STANDARD_TIER ? {} : { tier }),
    ...toFileRates(rates),
  }))
}

function toFileRates(rates: Rates): Pick<FilePrice, 'free' | 'rates'> {
  return rates.isFree ? { free: true } : { rates: toRuleRates(rates) }
}

function toTimes({ startMs, endMs }: PriceHours): NonNullable<FilePrice['hours']> {
  const toTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19)
  return { start: toTime(startMs), end: toTime(endMs) }
}
