// What the calls of GET /v1/analysis can be grouped by, what groups can be measured and ordered by,
// and the columns and words of the table of them. Imports lists alone: the console has it, too.

import { FACT_NAMES, FACTS, OWNERS } from '../../core/teams/team.ts'
import type { FactName } from '../../core/teams/team.ts'
import { PLAIN_FIELDS } from '../../store/usage/analysis.ts'
import type { AnalysisField } from '../../store/usage/analysis.ts'
import { CALL_WORDS } from '../requests/call-words.ts'
import type { CallWords } from '../requests/call-words.ts'

/** Beside `dim:KEY`. */
export const NAMED_FIELDS = [...PLAIN_FIELDS, ...FACT_NAMES] as const

/** As callers name them: what a call is booked to is a dimension in the store alone. */
export type AskedField = AnalysisField | FactName

export function toStoredField(field: AskedField): AnalysisField {
  return isFact(field) ? `dim:${FACTS[field]}` : field
}

function isFact(field: AskedField): field is FactName {
  return Object.hasOwn(FACTS, field)
}

/** Its values are ids, which have names. */
export function isOfIds(field: string): boolean {
  return field === 'api_key' || Object.hasOwn(OWNERS, field)
}

export const ANALYSIS_MEASURES = [
  'cost',
  'market_cost',
  'requests',
  'tokens',
  'errors',
  'denials',
  'unpriced',
] as const

export type AnalysisMeasure = (typeof ANALYSIS_MEASURES)[number]

/** What the cost rose or fell by: in money, and of what it was. */
const CHANGES = ['change', 'change_percent'] as const

export const ANALYSIS_ORDERS = [...ANALYSIS_MEASURES, ...CHANGES] as const

export type AnalysisOrder = (typeof ANALYSIS_ORDERS)[number]

/** What rows are measured by that are ordered so: what changed is cost. */
export function toMeasure(order: AnalysisOrder): AnalysisMeasure {
  return isByChange(order) ? 'cost' : order
}

export function isByChange(order: AnalysisOrder): order is (typeof CHANGES)[number] {
  return CHANGES.some((each) => each === order)
}

/** The member of an answer that has it. */
export function toFigureName(measure: AnalysisMeasure) {
  return measure === 'cost' || measure === 'market_cost' ? (`${measure}_usd` as const) : measure
}

const ALWAYS: readonly AnalysisMeasure[] = ['cost', 'requests', 'tokens', 'errors']

/** The columns behind the measure that rows are ordered by, and what goes with it. */
export function toTableMeasures(measure: AnalysisMeasure): readonly AnalysisMeasure[] {
  return ALWAYS.filter((each) => each !== measure)
}

export interface TableMember {
  readonly field: string
  readonly kind: 'value' | 'none' | 'other'
  readonly value: string | null
  readonly name: string | null
}

export const OTHER_TEXT = 'Other'

/** A member of a row in words: a key by its name. */
export function toMemberText({ field, kind, value, name }: TableMember): string {
  if (kind === 'other') return OTHER_TEXT
  return kind === 'none' ? toNoneText(field) : (name ?? toValueText(field, value ?? ''))
}

/** What became of a call in words; every other value speaks for itself. */
export function toValueText(field: string, value: string): string {
  const words: Readonly<Record<string, CallWords>> = CALL_WORDS
  return (field === 'status' ? words[value]?.label : undefined) ?? value
}

/** Calls without a value of the field. */
export function toNoneText(field: string): string {
  if (field.startsWith('dim:')) return `Without ${field.slice('dim:'.length)}`
  if (field === 'api_key') return 'Without a key'
  return `Without a ${field === 'source' ? 'price source' : field.replaceAll('_', ' ')}`
}
