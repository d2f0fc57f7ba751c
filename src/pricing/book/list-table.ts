// A list of prices as a table. An exact name beats any pattern, and the pattern with the longest
// literal part wins: the order of a list has no meaning.

import { baseOfNewSnapshot, createMatcher, exactNames, literalsOf } from './model-match.ts'
import type { ModelMatcher } from './model-match.ts'
import type { ModelSource, ModelSources, SourceVersion } from './model-source.ts'
import { toFingerprint } from './price-sheet.ts'
import { STANDARD_TIER } from './price-table.ts'
import type {
  ListedModel,
  PriceEntry,
  PriceHours,
  PriceTable,
  PriceVersion,
} from './price-table.ts'

interface ListedPrices {
  readonly id: string
  readonly versions: () => readonly PriceVersion[]
}

interface ProviderList {
  readonly exact: ReadonlyMap<string, ListedPrices>
  readonly open: readonly { readonly matches: ModelMatcher; readonly prices: ListedPrices }[]
}

/** `label` begins every version. */
export function createListTable(label: string, sources: ModelSources): PriceTable {
  const lists = createLists(label, sources)
  return {
    findVersions: (provider, model) => findIn(lists.get(provider), model)?.versions() ?? null,
    listModels() {
      const models: ListedModel[] = []
      for (const [provider, list] of sources) {
        for (const source of list) models.push({ provider, model: nameOf(source) })
      }
      return models
    },
  }
}

/** A name under which the list itself finds the model, if there is one. */
function nameOf({ id, match }: ModelSource): string {
  const exact = exactNames(match)
  if (exact.includes(id.toLowerCase())) return id.toLowerCase()
  const matches = createMatcher(match)
  const names = [...exact, id.toLowerCase(), ...literalsOf(match)]
  return names.find((name) => exact.includes(name) || matches?.(name) != null) ?? id
}

function createLists(label: string, sources: ModelSources): ReadonlyMap<string, ProviderList> {
  const lists = new Map<string, ProviderList>()
  for (const [provider, models] of sources) {
    lists.set(provider, createList(`${label} ${provider}`, models))
  }
  return lists
}

function createList(label: string, models: readonly ModelSource[]): ProviderList {
  const exact = new Map<string, ListedPrices>()
  const open: ProviderList['open'][number][] = []
  for (const model of models) {
    let made: readonly PriceVersion[] | null = null
    const prices: ListedPrices = {
      id: model.id,
      versions: () => (made ??= toVersions(`${label}/${model.id}`, model)),
    }
    for (const name of exactNames(model.match)) if (!exact.has(name)) exact.set(name, prices)
    const matches = createMatcher(model.match)
    if (matches !== null) open.push({ matches, prices })
  }
  return { exact, open }
}

function findIn(list: ProviderList | undefined, model: string): ListedPrices | null {
  if (list === undefined) return null
  const exact = list.exact.get(model)
  if (exact !== undefined) return exact
  let best: ListedPrices | null = null
  let longest = -1
  for (const { matches, prices } of list.open) {
    const length = matches(model)
    if (length === null || length <= longest) continue
    best = prices
    longest = length
  }
  if (best !== null) return best
  const base = baseOfNewSnapshot(model, list.exact.keys())
  return base === null ? null : (list.exact.get(base) ?? null)
}

function toVersions(label: string, model: ModelSource): readonly PriceVersion[] {
  const versions: PriceVersion[] = []
  for (const version of model.readVersions()) {
    const before = versions.findLast(({ hours }) => isSameHours(hours, version.hours))
    versions.push({
      fromMs: version.fromMs,
      hours: version.hours,
      entries: toEntries(label + version.label, version, before),
      modelId: model.id,
      ...(model.against === undefined ? {} : { against: model.against }),
    })
  }
  return versions
}

function isSameHours(one: PriceHours | null, other: PriceHours | null): boolean {
  return one?.startMs === other?.startMs && one?.endMs === other?.endMs
}

function toEntries(
  label: string,
  { tiers, originOf }: SourceVersion,
  before: PriceVersion | undefined,
): ReadonlyMap<string, PriceEntry> {
  const entries = new Map<string, PriceEntry>()
  for (const [tier, rates] of tiers) {
    const name = tier === STANDARD_TIER ? label : `${label} ${tier}`
    const fingerprint = toFingerprint(rates)
    // What another tier's change leaves as it was stays the same price, since when it was.
    const unchanged = before?.entries.get(tier)
    if (unchanged?.version.endsWith(` #${fingerprint}`) === true) {
      entries.set(tier, unchanged)
      continue
    }
    const origin = originOf?.(tier)
    const entry = { rates, source: 'price-book', version: `${name} #${fingerprint}` } as const
    entries.set(tier, origin === undefined ? entry : { ...entry, origin })
  }
  return entries
}
