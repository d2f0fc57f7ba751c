// Price files for machines without internet access: our own format and that of genai-prices. Must
// stay true: a file is accepted whole or not at all, every figure in it is checked, and reading it
// and matching by it takes bounded time.

import { hash } from 'node:crypto'
import { assert } from '../../core/assert.ts'
import { NOTHING_SKIPPED, readGenaiFile } from './genai-file.ts'
import type { IgnoredName, SkippedEntries } from './genai-file.ts'
import { toGenaiSources } from './genai-source.ts'
import { createListTable } from '../tables/list-table.ts'
import { toAgainst, toVersionFrame } from '../tables/model-source.ts'
import type { ModelSource, ModelSources, SourceVersion } from '../tables/model-source.ts'
import { toFaults, WEIR_FILE } from './price-file-schema.ts'
import type { FileModel, FilePrice } from './price-file-schema.ts'
import { FREE_RATES, STANDARD_TIER } from '../tables/price-table.ts'
import type { PriceTable } from '../tables/price-table.ts'
import { fromRuleRates } from '../tables/rate-text.ts'

export interface PriceFile {
  readonly form: 'weir-prices' | 'genai-prices'
  /** As the file calls itself, or made from its content. */
  readonly version: string
  readonly publishedAt: number | null
  readonly modelCount: number
  /** Units of a newer genai-prices that no event counts: calls billed by them stay unpriced. */
  readonly ignoredUnits: readonly IgnoredName[]
  /** Fields of its models that may say something about prices, and are not read. */
  readonly ignoredFields: readonly IgnoredName[]
  readonly skipped: SkippedEntries
  /** By date, then in this order. */
  readonly layers: readonly FileLayer[]
}

export interface FileLayer {
  readonly sources: ModelSources
  /** Null: with the file. */
  readonly publishedAt: number | null
}

export type ParsedPriceFile =
  | { readonly kind: 'valid'; readonly file: PriceFile }
  | { readonly kind: 'faulty'; readonly faults: readonly string[] }

export const FILE_BYTES_MAX = 16 * 1024 * 1024
/** Brackets within brackets; both formats stay far below. */
const NESTING_MAX = 24
const FAULTS_MAX = 20

export function parsePriceFile(text: string): ParsedPriceFile {
  if (Buffer.byteLength(text) > FILE_BYTES_MAX) return faulty('is larger than 16 MiB')
  if (measureNesting(text) > NESTING_MAX) return faulty(`nests deeper than ${NESTING_MAX} levels`)
  const json = parseJson(text)
  if (json === undefined) return faulty('is not JSON; it may be cut off')
  return Array.isArray(json) ? parseGenai(json, text) : parseWeir(json)
}

function faulty(...faults: readonly string[]): ParsedPriceFile {
  return { kind: 'faulty', faults }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The checks are recursive, so the depth is measured first. */
function measureNesting(text: string): number {
  let depth = 0
  let deepest = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at += isString ? 1 : 0
    else if (character === '"') isString = !isString
    else if (isString) continue
    else if (character === '{' || character === '[') deepest = Math.max(deepest, ++depth)
    else if (character === '}' || character === ']') depth -= 1
  }
  return deepest
}

function cutFaults(faults: readonly string[]): readonly string[] {
  const more = faults.length - FAULTS_MAX
  return more > 0 ? [...faults.slice(0, FAULTS_MAX), `and ${more} more`] : faults
}

function parseWeir(json: unknown): ParsedPriceFile {
  const parsed = WEIR_FILE.safeParse(json)
  if (!parsed.success) return faulty(...cutFaults(toFaults(parsed.error)))
  const { version, published_at: publishedAt, layers: dates = [], models } = parsed.data
  const depths = [...new Set(models.map(({ layer }) => layer))].toSorted((one, two) => one - two)
  return {
    kind: 'valid',
    file: {
      form: 'weir-prices',
      version,
      publishedAt: Date.parse(publishedAt),
      modelCount: models.length,
      ignoredUnits: [],
      ignoredFields: [],
      skipped: NOTHING_SKIPPED,
      layers: depths.map((depth) => ({
        sources: toSources(models.filter(({ layer }) => layer === depth)),
        publishedAt: dates[depth] === undefined ? null : Date.parse(dates[depth]),
      })),
    },
  }
}

function toSources(models: readonly FileModel[]): ModelSources {
  const byProvider = Map.groupBy(models, ({ provider }) => provider)
  return new Map([...byProvider].map(([provider, own]) => [provider, own.map(toSource)]))
}

function toSource({ id, names = [], match, against, prices }: FileModel): ModelSource {
  return {
    id: id ?? names[0] ?? 'model',
    match: match ?? { or: names.map((name) => ({ equals: name })) },
    ...(against === undefined ? {} : { against: toAgainst(against) }),
    readVersions: () => readVersions(prices),
  }
}

/** By start; where two start together, the one for some hours is the exception. */
function readVersions(prices: readonly FilePrice[]): readonly SourceVersion[] {
  const groups = Map.groupBy(prices, ({ from, hours }) => JSON.stringify([from, hours]))
  const versions = [...groups.values()].map((group): SourceVersion => {
    const { from = null, hours = null } = group[0] as FilePrice
    const tiers = group.map(({ tier = STANDARD_TIER, free = false, rates = {} }) => {
      const own = free ? FREE_RATES : fromRuleRates(rates)
      assert(own !== null, 'rates of a price file that was checked')
      return [tier, own] as const
    })
    return { ...toVersionFrame({ from, hours }), tiers: new Map(tiers) }
  })
  return versions.toSorted((left, right) => {
    if (left.fromMs !== right.fromMs) return left.fromMs < right.fromMs ? -1 : 1
    return Number(left.hours !== null) - Number(right.hours !== null)
  })
}

function parseGenai(json: unknown, text: string): ParsedPriceFile {
  const { providers, faults, ...left } = readGenaiFile(json)
  if (faults.length > 0) return faulty(...cutFaults(faults))
  const sources = toGenaiSources(providers)
  return {
    kind: 'valid',
    file: {
      form: 'genai-prices',
      version: `genai-prices@${hash('sha256', text, 'hex').slice(0, 12)}`,
      publishedAt: null,
      modelCount: [...sources.values()].reduce((sum, models) => sum + models.length, 0),
      ...left,
      layers: [{ sources, publishedAt: null }],
    },
  }
}

/** Data that does not say when it was published counts as newer than all that does. */
export function createFileTables(file: PriceFile): readonly PriceTable[] {
  return file.layers.map(({ sources, publishedAt }) => ({
    ...createListTable(`import ${file.version}`, sources, `the import ${file.version}`),
    publishedAt: publishedAt ?? file.publishedAt ?? Infinity,
  }))
}
