// The form of one rule of the prices file; pricing checks its figures and names.

import { parseMoment } from '../core/moment.ts'
import { nearestWord } from '../core/nearest-word.ts'
import type { NewPriceRule, RulePrice, RuleRate } from '../core/price-rule.ts'

export interface RuleFault {
  /** The field that it is about; null for the rule as a whole. */
  readonly member: string | null
  readonly text: string
}

export interface FileRule {
  /** Null where its form is wrong. */
  readonly rule: NewPriceRule | null
  readonly faults: readonly RuleFault[]
}

type Members = Readonly<Record<string, unknown>>

const MEMBERS = ['provider', 'model', 'tier', 'from', 'rates', 'multiplier', 'note'] as const
const EXAMPLE = 'write provider, model, and rates or multiplier'

/** From the beginning of time, for the purpose of prices. */
export const ALWAYS_MS = 0

export function parseFileRule(item: unknown, providers: readonly string[]): FileRule {
  if (!isMembers(item)) return faulty([{ member: null, text: `is not a rule; ${EXAMPLE}` }])
  const faults: RuleFault[] = []
  const add = (member: string, text: string): void => void faults.push({ member, text })
  for (const member of Object.keys(item)) {
    if ((MEMBERS as readonly string[]).includes(member)) continue
    const near = nearestWord(member, MEMBERS)
    const remedy = near === null ? `known: ${MEMBERS.join(', ')}` : `did you mean ${near}?`
    add(member, `${member} is not a field of a rule; ${remedy}`)
  }
  const provider = readText(item, 'provider')
  const model = readText(item, 'model')
  if (provider === null) add('provider', 'has no provider; write its id')
  else if (!providers.includes(provider)) add('provider', describeUnknown(provider, providers))
  if (model === null) add('model', 'has no model; write a name, or a pattern with * in quotes')
  const from = readText(item, 'from')
  const effectiveFrom = from === null ? ALWAYS_MS : parseMoment(from)
  if (effectiveFrom === null) {
    add('from', `from "${from}" is not a date or time; write 2026-11-01 or 2026-11-01T12:00Z`)
  }
  const price = readPrice(item)
  if (typeof price === 'string') add('rates', price)
  if (faults.length > 0 || provider === null || model === null) return faulty(faults)
  if (effectiveFrom === null || typeof price === 'string') return faulty(faults)
  const named = { provider, model: model.toLowerCase(), tier: readText(item, 'tier') }
  return { rule: { ...named, effectiveFrom, price, note: readText(item, 'note') }, faults }
}

function faulty(faults: readonly RuleFault[]): FileRule {
  return { rule: null, faults }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Null where it is absent, or a YAML null. */
function readText(item: Members, member: string): string | null {
  const value = item[member]
  const text = typeof value === 'string' ? value.trim() : ''
  return text === '' || text === 'null' || text === '~' ? null : text
}

function readPrice(item: Members): RulePrice | string {
  const factor = readText(item, 'multiplier')
  const rates = item['rates']
  if ((factor === null) === (rates === undefined)) {
    const both =
      factor === null ? 'has neither rates nor a multiplier' : 'has rates and a multiplier'
    return `${both}; write one of them`
  }
  if (factor !== null) return { kind: 'multiplier', factor }
  if (!isMembers(rates))
    return 'has rates that are not a section; write "input: 2.5" and so on below it'
  const read: [string, RuleRate][] = []
  for (const [unit, value] of Object.entries(rates)) {
    const rate = readRate(value)
    if (rate === null) {
      return `has a rate for ${unit} that is not a price; write 2.5, or { base: 2.5, steps: [{ above: 200000, rate: 5 }] }`
    }
    read.push([unit, rate])
  }
  return { kind: 'rates', rates: Object.fromEntries(read) }
}

function readRate(value: unknown): RuleRate | null {
  if (typeof value === 'string') return value.trim()
  if (!isMembers(value) || !hasOnly(value, ['base', 'steps'])) return null
  const base = readText(value, 'base')
  const list = value['steps'] ?? []
  if (base === null || !Array.isArray(list)) return null
  const steps = list.map(readStep)
  return steps.every((step) => step !== null) ? { base, steps } : null
}

function readStep(value: unknown): { above: number; rate: string } | null {
  if (!isMembers(value) || !hasOnly(value, ['above', 'rate'])) return null
  const above = readText(value, 'above')
  const rate = readText(value, 'rate')
  if (above === null || rate === null || !/^\d{1,15}$/.test(above)) return null
  return { above: Number(above), rate }
}

function hasOnly(value: Members, members: readonly string[]): boolean {
  return Object.keys(value).every((member) => members.includes(member))
}

function describeUnknown(provider: string, providers: readonly string[]): string {
  const near = nearestWord(provider, providers)
  const remedy = near === null ? `known: ${providers.join(', ')}` : `did you mean ${near}?`
  return `there is no provider "${provider}"; ${remedy}`
}
