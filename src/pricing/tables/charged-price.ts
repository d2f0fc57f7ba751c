// What a call is charged by: the operator's rates; their rates of another tier, by the list's ratio
// of the two; or the listed price, with the operator's factor. Must stay true: pricing, lists and
// history all ask here.

import type { PriceRule } from '../../core/price-rule.ts'
import { REGION_TIER_NAMES } from '../data/corrections.ts'
import { toFingerprint } from './price-sheet.ts'
import { isUnknown, scaleRates, STANDARD_TIER } from './price-table.ts'
import type { PriceEntry, PriceVersion } from './price-table.ts'
import { findRule } from './rule-table.ts'
import type { FactorRule, ModelRules, RateRule } from './rule-table.ts'
import { toOtherTier } from './tier-rates.ts'

/** A served tier, and the tier that its region stands for. */
export interface TierRegion {
  readonly tier: string
  readonly region: string | null
}

/** What was calculated once, by what it was made from: the same price stays the same object. */
export interface MadeEntries {
  entry: PriceEntry | null
  readonly next: Map<object, MadeEntries>
}

export interface PricedModel {
  readonly rules: ModelRules | null
  readonly made: MadeEntries
}

export interface ChargeQuestion extends TierRegion {
  /** The list's price at that moment, if there is one. */
  readonly version: PriceVersion | null
  readonly atMs: number
}

export interface ChargedPrice {
  readonly entry: PriceEntry
  /** Whose rates they are, or are made from; a rule with a factor is not named here. */
  readonly rule: PriceRule | null
  /** The rule names this very tier, so that no list matters. */
  readonly isGiven: boolean
}

/** `batch+regional` can be asked for by name, too. */
export function toPlace(tier: string, region: string | null): TierRegion {
  if (REGION_TIER_NAMES.has(tier)) return { tier: STANDARD_TIER, region: tier }
  const at = tier.lastIndexOf('+')
  const last = tier.slice(at + 1)
  return at > 0 && REGION_TIER_NAMES.has(last)
    ? { tier: tier.slice(0, at), region: last }
    : { tier, region }
}

export function findCharged(model: PricedModel, question: ChargeQuestion): ChargedPrice | null {
  const { rules, made } = model
  const listed = findListed(question, made)
  if (rules === null) return listed === null ? null : toListed(listed)
  const { tier, region, atMs } = question
  const name = nameOf(question)
  const own = findRule(rules.rates, [name], atMs)
  if (own !== null) return { entry: own.entry, rule: own.rule, isGiven: true }
  const factor = findRule(rules.factors, region === null ? [name] : [name, tier, region], atMs)
  // A factor for this very tier comes before what the ordinary rates would make of it.
  const isTierGiven = factor !== null && factor.tier !== null && factor.tier !== STANDARD_TIER
  const bases = listBases(question).filter((base) => !isTierGiven || base !== STANDARD_TIER)
  const derived = deriveFromOwn(model, question, { bases, listed })
  if (derived !== null || listed === null) return derived
  return toListed(factor === null ? listed : multiply(made, listed, factor))
}

function toListed(entry: PriceEntry): ChargedPrice {
  return { entry, rule: null, isGiven: false }
}

function nameOf({ tier, region }: TierRegion): string {
  if (region === null) return tier
  return tier === STANDARD_TIER ? region : `${tier}+${region}`
}

/** Where the list has no price for the region, none is known to differ. */
function findListed(question: ChargeQuestion, made: MadeEntries): PriceEntry | null {
  const { version, tier, region } = question
  if (version === null) return null
  const { entries } = version
  const served = entries.get(tier) ?? null
  if (region === null) return served
  const exact = entries.get(nameOf(question))
  if (exact !== undefined) return exact
  const [standard, regional] = [entries.get(STANDARD_TIER), entries.get(region)]
  if (served === null || regional === undefined || standard === undefined) return served
  if (served.rates.isFree) return served
  return make(made, [served, standard, regional], () => {
    const rates = toOtherTier(served.rates, { from: standard.rates, to: regional.rates })
    const version = `${served.version} × ${region} #${toFingerprint(rates)}`
    return { rates, source: served.source, version }
  })
}

/** From the rates of the nearest tier that the operator has set; null where no ratio is known. */
function deriveFromOwn(
  { rules, made }: PricedModel,
  question: ChargeQuestion,
  { bases, listed }: { readonly bases: readonly string[]; readonly listed: PriceEntry | null },
): ChargedPrice | null {
  const { tier, region, atMs } = question
  const name = nameOf(question)
  for (const base of bases) {
    const own = findRule(rules?.rates ?? [], [base], atMs)
    if (own === null) continue
    const place = base === region ? { tier: STANDARD_TIER, region } : toPlace(base, null)
    const from = findListed({ ...question, ...place }, made)
    // The region alone differs, and no list says by how much it costs something else.
    const isSame = base === tier && (listed === null || listed === from || !hasRates(from))
    const entry = isSame ? own.entry : scaleOwn(made, own, { name, from, to: listed })
    return entry === null ? null : { entry, rule: own.rule, isGiven: false }
  }
  return null
}

/** The tiers that a combined one is made of, the nearest first. */
function listBases(place: TierRegion): readonly string[] {
  const parts = nameOf(place).split('+')
  return [...new Set([place.tier, ...parts, STANDARD_TIER])]
}

function hasRates(entry: PriceEntry | null): entry is PriceEntry {
  return entry !== null && !entry.rates.isFree && !isUnknown(entry.rates)
}

interface OwnScale {
  readonly name: string
  readonly from: PriceEntry | null
  readonly to: PriceEntry | null
}

function scaleOwn(made: MadeEntries, own: RateRule, { name, from, to }: OwnScale) {
  if (!hasRates(from) || !hasRates(to)) return null
  return make(made, [own.entry, from, to], () => {
    const rates = toOtherTier(own.entry.rates, { from: from.rates, to: to.rates })
    const version = `${own.entry.version} × ${name} #${toFingerprint(rates)}`
    return { rates, source: 'override', version }
  })
}

function multiply(made: MadeEntries, listed: PriceEntry, by: FactorRule): PriceEntry {
  if (listed.rates.isFree) return listed
  return make(made, [by, listed], () => {
    const version = `${by.label} × ${listed.version}`
    const origin = listed.origin && { ...listed.origin, listed: listed.rates }
    return { rates: scaleRates(listed.rates, by.factor), source: 'override', version, origin }
  })
}

/** Lists share a price between versions, so that it takes all of them to name what was made. */
function make(made: MadeEntries, from: readonly object[], create: () => PriceEntry): PriceEntry {
  let at = made
  for (const each of from) {
    const next: MadeEntries = at.next.get(each) ?? { entry: null, next: new Map() }
    at.next.set(each, next)
    at = next
  }
  at.entry ??= create()
  return at.entry
}
