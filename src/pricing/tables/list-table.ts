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
  PriceOrigin,
  PriceTable,
  PriceVersion,
} from './price-table.ts'

interface ListedPrices {
  readonly id: string
  readonly versions: () => readonly PriceVersion[]
  readonly firstSource: (() => readonly PriceVersion[]) | null
}

interface ProviderList {
  readonly exact: ReadonlyMap<string, ListedPrices>
  readonly open: readonly { readonly matches: ModelMatcher; readonly prices: ListedPrices }[]
}

/**
 * `label` begins every version; `source` is where prices are from that do not say so themselves.
 */
export function createListTable(label: string, models: ModelSources, source?: string): PriceTable {
  const origin = source === undefined ? undefined : { sources: [source], others: [] }
  const lists = createLists({ label, origin }, models)
  return {
    findVersions: (provider, model) => findIn(lists.get(provider), model)?.versions() ?? null,
    findFirstSource: (provider, model) =>
      findIn(lists.get(provider), model)?.firstSource?.() ?? null,
    listModels() {
      const listed: ListedModel[] = []
      for (const [provider, list] of models) {
        for (const each of list) listed.push({ provider, model: nameOf(each) })
      }
      return listed
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

/** What the versions of a list have in common. */
interface ListAbout {
  readonly label: string
  readonly origin: PriceOrigin | undefined
}

function createLists(
  { label, origin }: ListAbout,
  sources: ModelSources,
): ReadonlyMap<string, ProviderList> {
  const lists = new Map<string, ProviderList>()
  for (const [provider, models] of sources) {
    lists.set(provider, createList({ label: `${label} ${provider}`, origin }, models))
  }
  return lists
}

function createList({ label, origin }: ListAbout, models: readonly ModelSource[]): ProviderList {
  const exact = new Map<string, ListedPrices>()
  const open: ProviderList['open'][number][] = []
  for (const model of models) {
    let made: readonly PriceVersion[] | null = null
    let madeFirst: readonly PriceVersion[] | null = null
    const about = { label: `${label}/${model.id}`, origin }
    const { readFirstSource } = model
    const prices: ListedPrices = {
      id: model.id,
      versions: () => (made ??= toVersions(about, model)),
      firstSource:
        readFirstSource === undefined
          ? null
          : () => (madeFirst ??= toVersions(about, { ...model, readVersions: readFirstSource })),
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

function toVersions({ label, origin }: ListAbout, model: ModelSource): readonly PriceVersion[] {
  const versions: PriceVersion[] = []
  const origins = new Map<PriceEntry, readonly PriceOrigin[]>()
  for (const version of model.readVersions()) {
    const before = versions.findLast(({ hours }) => isSameHours(hours, version.hours))
    const entries = toEntries(label + version.label, version, before)
    const { fromMs, hours } = version
    const against = model.against === undefined ? {} : { against: model.against }
    versions.push({ fromMs, hours, entries, modelId: model.id, ...against })
    for (const [tier, entry] of entries) {
      const from = version.originOf?.(tier) ?? origin
      if (from !== undefined) origins.set(entry, [...(origins.get(entry) ?? []), from])
    }
  }
  return withOrigins(versions, origins)
}

/** A price that stays as it was for several versions has all that the sources say of it in them. */
function withOrigins(
  versions: readonly PriceVersion[],
  origins: ReadonlyMap<PriceEntry, readonly PriceOrigin[]>,
): readonly PriceVersion[] {
  const made = new Map(
    [...origins].map(([entry, list]) => [entry, { ...entry, origin: joinOrigins(list) }]),
  )
  return versions.map((version) => ({
    ...version,
    entries: new Map([...version.entries].map(([tier, entry]) => [tier, made.get(entry) ?? entry])),
  }))
}

function joinOrigins(origins: readonly PriceOrigin[]): PriceOrigin {
  const others = new Map(
    origins.flatMap((origin) => origin.others.map((other) => [JSON.stringify(other), other])),
  )
  return {
    sources: [...new Set(origins.flatMap(({ sources }) => sources))],
    others: [...others.values()],
  }
}

function isSameHours(one: PriceHours | null, other: PriceHours | null): boolean {
  return one?.startMs === other?.startMs && one?.endMs === other?.endMs
}

function toEntries(
  label: string,
  { tiers }: SourceVersion,
  before: PriceVersion | undefined,
): ReadonlyMap<string, PriceEntry> {
  const entries = new Map<string, PriceEntry>()
  for (const [tier, rates] of tiers) {
    const name = tier === STANDARD_TIER ? label : `${label} ${tier}`
    const fingerprint = toFingerprint(rates)
    // What another tier's change leaves as it was stays the same price, since when it was.
    const unchanged = before?.entries.get(tier)
    const isUnchanged = unchanged?.version.endsWith(` #${fingerprint}`) === true
    const version = `${name} #${fingerprint}`
    entries.set(tier, isUnchanged ? unchanged : { rates, source: 'price-book', version })
  }
  return entries
}
