// The operator's prices in `prices.file`: a list of rules in YAML or JSON. Must stay true: a faulty
// file gives no rules at all, and an unchanged rule keeps its id, and so its price version.

import { hash } from 'node:crypto'
import type { Document } from 'yaml'
import type { NewPriceRule, PriceRule, RulePrice } from '../core/price-rule.ts'
import { findRuleFaults } from '../pricing/tables/rule-faults.ts'
import { ADDRESSES } from '../providers/directory.ts'
import { toConfigError } from './config-error.ts'
import type { ConfigFault } from './config-error.ts'
import { parseFileRule } from './price-file-rule.ts'
import { loadYaml, readSmallFile } from './small-file.ts'

/** The path is absolute. */
export interface RulesFileSettings {
  readonly prices: {
    readonly file?: string | undefined
    readonly rules?: readonly PriceRule[] | undefined
  }
  readonly providers: Readonly<Record<string, unknown>>
}

const FILE_BYTES_MAX = 4_194_304
const FILE_RULES_MAX = 10_000
const FAULTS_SHOWN_MAX = 50
const ALIASES_MAX = 100
const SETTING = 'prices.file'

/** What the configuration has read wins: a restarted process must not see a newer file. */
export function readConfiguredRules(settings: RulesFileSettings): readonly PriceRule[] {
  const { file, rules } = settings.prices
  if (rules !== undefined) return rules
  if (file === undefined) return []
  const ids = [...Object.keys(ADDRESSES), ...Object.keys(settings.providers)]
  return parseRulesFile(readText(file), { file, providers: [...new Set(ids)] })
}

function readText(file: string): string {
  const remedy = 'create it, or remove the setting'
  const found = readSmallFile(file, { bytesMax: FILE_BYTES_MAX, remedy })
  if (found.kind === 'read') return found.text
  throw fileFault(file, found.fault)
}

function fileFault(origin: string, text: string): Error {
  return toConfigError([{ subject: SETTING, origin, text }])
}

export interface RulesFileContext {
  readonly file: string
  readonly providers: readonly string[]
}

export function parseRulesFile(text: string, context: RulesFileContext): readonly PriceRule[] {
  const { file } = context
  const { LineCounter, parseDocument } = loadYaml()
  const lines = new LineCounter()
  // This schema keeps every value as text: a price never becomes a float.
  const options = { lineCounter: lines, prettyErrors: false, schema: 'failsafe' } as const
  const document = parseDocument(text, options)
  const originAt = (offset: number | undefined): string =>
    offset === undefined ? file : `${file}:${lines.linePos(offset).line}`
  const broken = [...document.errors, ...document.warnings].map((error) => ({
    subject: SETTING,
    origin: originAt(error.pos[0]),
    text: `is neither YAML nor JSON: ${error.message.split('\n', 1)[0]}`,
  }))
  if (broken.length > 0) throw toConfigError(broken)
  const list = toList(document, file)
  const originOf = (rule: number, member: string | null): string =>
    originAt(offsetOf(document, rule, member))
  return toRules(list, { ...context, originOf })
}

function toList(document: Document, file: string): readonly unknown[] {
  const list: unknown = readPlain(document, file) ?? []
  if (list === '') return []
  if (!Array.isArray(list)) throw fileFault(file, 'is not a list; write one rule after each "- "')
  if (list.length <= FILE_RULES_MAX) return list
  const text = `has ${list.length} rules; at most ${FILE_RULES_MAX} are read`
  throw fileFault(file, `${text}, so write one with a * for many models`)
}

function readPlain(document: Document, file: string): unknown {
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX })
  } catch {
    // Too many aliases is all that can still go wrong here.
    throw fileFault(file, `uses YAML aliases more than ${ALIASES_MAX} times; write the values out`)
  }
}

interface RulesContext extends RulesFileContext {
  readonly originOf: (rule: number, member: string | null) => string
}

function toRules(list: readonly unknown[], context: RulesContext): readonly PriceRule[] {
  const { originOf, providers } = context
  const faults: ConfigFault[] = []
  const rules: PriceRule[] = []
  const places = new Map<string, number>()
  for (const [index, item] of list.entries()) {
    const add = (member: string | null, text: string): void => {
      const what = `rule ${index + 1}: ${text}`
      faults.push({ subject: SETTING, origin: originOf(index, member), text: what })
    }
    const { rule, faults: found } = parseFileRule(item, providers)
    for (const { member, text } of found) add(member, text)
    if (rule === null) continue
    for (const text of findRuleFaults(rule)) add(null, text)
    const place = placeOf(rule)
    const twin = places.get(place)
    if (twin !== undefined)
      add(null, `has the same provider, model, tier and date as rule ${twin + 1}; keep one of them`)
    places.set(place, index)
    rules.push({ ...rule, id: idOf(rule), createdAt: 0 })
  }
  if (faults.length > 0) throw toConfigError(cutFaults(faults))
  return rules
}

/** Of two rules with the same key, it would be unclear which is in force. */
export function placeOf({ provider, model, tier, effectiveFrom }: NewPriceRule): string {
  return JSON.stringify([provider, model, tier, effectiveFrom])
}

/** The note is left out: it changes no price. */
function idOf(rule: NewPriceRule): string {
  const content = JSON.stringify([placeOf(rule), toSorted(rule.price)])
  return `price_${hash('sha256', content).slice(0, 16)}`
}

function toSorted(price: RulePrice): unknown {
  if (price.kind === 'multiplier') return price
  return Object.entries(price.rates).toSorted(([left], [right]) => (left < right ? -1 : 1))
}

function cutFaults(faults: readonly ConfigFault[]): readonly ConfigFault[] {
  if (faults.length <= FAULTS_SHOWN_MAX) return faults
  const text = `has ${faults.length - FAULTS_SHOWN_MAX} more faults of this kind`
  return [...faults.slice(0, FAULTS_SHOWN_MAX), { subject: SETTING, origin: '', text }]
}

function offsetOf(document: Document, rule: number, member: string | null): number | undefined {
  const list = document.contents
  const { isMap, isScalar, isSeq } = loadYaml()
  const node = isSeq(list) ? list.items[rule] : undefined
  if (!isMap(node)) return isScalar(node) ? node.range?.[0] : undefined
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === member)
  const key = pair?.key
  return isScalar(key) ? key.range?.[0] : node.range?.[0]
}
